"""Every game fits on one page for people who have never seen it, above the clauses; the gallery shows every card."""

from __future__ import annotations

import gzip
import re
from html import unescape

import httpx
import pytest

from realmtable.engine import registry
from realmtable.engine.errors import BadPosition
from realmtable.engine.pictures import draw_whole
from realmtable.engine.protocol import HasCardGallery
from realmtable.server.security_headers import style_hash
from realmtable.server.site import game_summary, rules_rendering
from realmtable.server.site.game_pictures import crop_large, image, picture, sample_match, strip_markup
from tests.server.site.test_pages import HTML, fetch_page
from tests.server.support.page_parser import Page
from tests.toys.dice_duel import DiceDuel

pytestmark = pytest.mark.anyio

GAMES = [info.id for info in registry.infos()]
GALLERIES = [game for game in GAMES if isinstance(registry.game(game), HasCardGallery)]
MAX_GALLERY_BYTES = 60_000  # compressed, with styles and scripts

every_game = pytest.mark.parametrize("game", GAMES)


def sections_html(summary: game_summary.GameSummary) -> str:
    return "".join([summary.aim, *(section.text + section.pictures for section in summary.sections)])


def read_summary(game: str) -> game_summary.GameSummary:
    summary = game_summary.game_summary(game)
    assert summary is not None
    return summary


# ---- the text


@every_game
def test_a_summary_is_short_speaks_no_clauses_and_has_a_picture_in_every_panel(game: str) -> None:
    summary = read_summary(game)
    html = re.sub(r'<a href="(?:#|/positions/).*?</a>|<svg.*?</svg>', "", sections_html(summary))
    shown = unescape(re.sub(r"<[^>]+>", " ", html))
    assert 150 <= len(re.findall(r"\w[\w'-]*", shown)) <= 250
    assert not rules_rendering.MENTION.search(shown)
    assert len(summary.sections) == 3
    assert "<p>" in summary.aim
    for section in summary.sections:
        assert "<p>" in section.text
        assert "<figure" in section.pictures
        assert re.findall(r"<figcaption>\w[^<]+\.", section.pictures)


@pytest.mark.long
@every_game
def test_links_to_clauses_find_them(game: str) -> None:
    links = re.findall(r'href="#([^"]+)"', sections_html(read_summary(game)))
    assert links
    assert set(links) <= set(rules_rendering.rules(game).clauses)


async def test_links_to_other_pages_lead_somewhere(client: httpx.AsyncClient) -> None:
    texts = [text for game in GAMES for text in (registry.read_rules(game), game_summary.summary_text(game))]
    targets = {target for text in texts for target in re.findall(r"\]\((/[^)#\s]+)", text)}
    assert targets
    for target in targets:
        assert (await client.get(target)).status_code == 200


def test_a_wrong_picture_is_an_error_of_ours() -> None:
    with pytest.raises(BadPosition):
        game_summary.render_summary(registry.game("realm"), "The aim.\n\n```board\nW:Zz99 move=W\nA caption.\n```\n")
    with pytest.raises(KeyError):
        game_summary.render_summary(registry.game("realm"), "The aim.\n\n```cards\nKing\nA caption.\n```\n")


# ---- the page


@pytest.mark.long
async def test_the_summary_comes_before_the_clauses(client: httpx.AsyncClient) -> None:
    for game in GAMES:
        html = await fetch_page(client, f"/rules/{game}")
        assert Page(html).find_faults() == []
        first = rules_rendering.rules(game).clauses[0]
        parts = (f'href="/play/{game}"', f'href="/learn/{game}"', 'href="#all-rules"', "summary-panels")
        places = [html.index(part) for part in (*parts, 'id="all-rules"', f'id="{first}"')]
        assert places == sorted(places)


async def test_the_pictures_of_a_summary_follow_the_theme(client: httpx.AsyncClient) -> None:
    client.cookies.set("realmtable_theme", "dark")
    html = await fetch_page(client, "/rules/oriental_realm")
    addresses = re.findall(r'src="(/rules/[^"]+/summary/[^"]+)"', html)
    assert [address.rpartition("/")[2] for address in addresses] == [f"{number}.svg?theme=dark" for number in range(3)]
    for address in addresses:
        dark, light = [(await client.get(path)).text for path in (address, address.replace("dark", "light"))]
        assert dark.startswith("<svg")
        assert dark != light
    for missing in ("/rules/oriental_realm/summary/3.svg", "/rules/oriental_realm/summary/-1.svg"):
        assert (await client.get(missing)).status_code == 404


async def test_a_game_without_a_summary_has_a_page_too(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = DiceDuel()
    monkeypatch.setitem(registry.ADDED, game.info.id, game)
    html = await fetch_page(client, f"/rules/{game.info.id}")
    assert "board-picture" in html
    assert "summary-panels" not in html
    assert "all-rules" not in html
    assert (await client.get(f"/rules/{game.info.id}/summary/0.svg")).status_code == 404


# ---- the gallery


@pytest.mark.long
async def test_the_gallery_shows_every_card_once_and_is_light(client: httpx.AsyncClient) -> None:
    assert GALLERIES
    for game in GALLERIES:
        html = await fetch_page(client, f"/rules/{game}/cards")
        assert Page(html).find_faults() == []
        gallery = registry.game(game).gallery()  # type: ignore[attr-defined]  # see GALLERIES
        cards = [card for group in gallery.groups for card in group.cards]
        assert [unescape(text) for text in re.findall(r'data-search="([^"]+)"', html)] == [card.text for card in cards]
        addresses = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', html))
        parts = [html.encode(), *[(await client.get(address)).content for address in addresses]]
        assert sum(len(gzip.compress(part)) for part in parts) <= MAX_GALLERY_BYTES


@pytest.mark.long
async def test_the_policy_allows_the_one_style_of_the_cards(client: httpx.AsyncClient) -> None:
    for path in [f"/rules/{game}{page}" for game in GALLERIES for page in ("", "/cards")]:
        answer = await client.get(path, headers=HTML)
        (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
        assert style_hash(style) in answer.headers["content-security-policy"]


async def test_a_game_without_cards_has_no_gallery(client: httpx.AsyncClient) -> None:
    assert (await client.get("/rules/realm/cards")).status_code == 404
    assert "/rules/realm/cards" not in await fetch_page(client, "/rules/realm")
    assert (await client.get("/rules/chess/cards")).status_code == 404


LARGE = '<svg viewBox="-100 -50 2000 1000" width="100%" data-pans="" data-focus="0 0 500 500"><a/></svg>'


def test_a_large_picture_is_cropped_to_its_middle() -> None:
    assert crop_large(LARGE) == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="500 150 800 600" width="100%">'
        '<svg viewBox="-100 -50 2000 1000" x="-100" y="-50" width="2000" height="1000" data-pans="" '
        'data-focus="0 0 500 500"><a/></svg></svg>'
    )


def test_small_maps_and_other_pictures_stay_whole() -> None:
    small = LARGE.replace("2000 1000", "700 500")
    assert 'viewBox="-100 -50 700 500" width="100%"' in crop_large(small)
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
