"""Pictures of games for lists: large ones are cropped, so that something can be recognised."""

from __future__ import annotations

from realmtable.server.site.game_pictures import crop_large, picture

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
