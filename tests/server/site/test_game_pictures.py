"""Pictures of games for lists: large ones are cropped, so that something can be recognised."""

from __future__ import annotations

from realmtable.engine import registry
from realmtable.engine.pictures import draw_whole
from realmtable.server.site.game_pictures import crop_large, image, picture, sample_match, strip_markup

LARGE = '<svg viewBox="-100 -50 2000 1000" width="100%" data-pans="" data-focus="0 0 500 500"><a/></svg>'


def test_a_large_picture_is_cropped_to_its_middle() -> None:
    assert crop_large(LARGE) == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="500 150 800 600" width="100%">'
        '<svg viewBox="-100 -50 2000 1000" x="-100" y="-50" width="2000" height="1000" data-pans="" '
        'data-focus="0 0 500 500"><a/></svg></svg>'
    )


def test_nothing_is_added_around_a_small_map() -> None:
    small = LARGE.replace("2000 1000", "700 500")
    assert 'viewBox="-100 -50 700 500" width="100%"' in crop_large(small)


def test_other_pictures_stay_whole() -> None:
    for other in ("", "<svg/>", LARGE.replace("data-focus", "data-other"), LARGE.replace("viewBox", "data-box")):
        assert crop_large(other) == other
    assert picture("realm").count("<svg") == 1


def test_an_image_has_neither_handles_nor_labels() -> None:
    marked = '<svg role="img" aria-label="Board"><title>Board</title><g class="a" data-handle="b2" tabindex="0"/></svg>'
    assert strip_markup(marked) == '<svg><g class="a"/></svg>'
    assert 'data-handle="' in picture("realm")
    assert 'data-handle="' not in image("realm")
    assert image("realm").count("<path") == picture("realm").count("<path")


def test_an_image_has_only_styles_of_what_it_shows() -> None:
    style = (
        ".a&gt;g:is(.x,g){r:3}"
        ".a,.b .a{fill:red}.c{fill:blue}[data-handle]:focus{outline:none}.a:is(.x,.y){r:1}text{fill:red}"
        "@media (prefers-color-scheme:dark){.a{fill:pink}.b{fill:grey}}[data-theme=dark] .a{r:2}"
        ".c:not(.a),.a:is(.x,.y) .d{r:4}/* .c{ */.c>.a{r:5}@font-face{font-family:A}"
    )
    kept = (
        ".a&gt;g:is(.x,g){r:3}"
        ".a{fill:red}.a:is(.x,.y){r:1}text{fill:red}@media (prefers-color-scheme:dark){.a{fill:pink}}"
        "[data-theme=dark] .a{r:2}.a:is(.x,.y) .d{r:4}@font-face{font-family:A}"
    )
    assert strip_markup(f'<svg><style>{style}</style><g class="a d"/></svg>') == (
        f'<svg><style>{kept}</style><g class="a d"/></svg>'
    )


def test_a_game_may_show_a_part_of_its_picture() -> None:
    game = registry.game("magic_realm")
    whole = draw_whole(game, sample_match("magic_realm").view(0))
    assert picture("magic_realm").count("mr-name") < whole.count("mr-name") * 0.6
