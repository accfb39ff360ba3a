from __future__ import annotations

import gzip
import json
import re
from http import HTTPStatus
from typing import Any

import httpx
import pytest

from realmtable.engine import registry
from realmtable.engine.protocol import GameInfo
from realmtable.search.bot_levels import bot_name
from realmtable.server.api.accounts import RatingData
from realmtable.server.error_responses import SENTENCES
from realmtable.server.services import Services
from realmtable.server.site import setup_choices, static_files
from realmtable.server.site.account_pages import RatingRow, add_bars
from realmtable.server.site.api_reference import group_operations
from realmtable.server.site.pages import games_in_order
from realmtable.server.site.static_files import FOLDER
from realmtable.server.site.templates import environment
from realmtable.server.tables.scenes.changes import read_scene
from tests.server.support.live_server import Person, check_sentences
from tests.server.support.page_parser import Page
from tests.server.support.table_harness import register_toys

pytestmark = pytest.mark.anyio

GAMES = [info.id for info in registry.infos()]
PAGES = [
    "/",
    "/rules",
    "/records",
    "/account",
    "/watch",
    "/settings",
    "/my-games",
    "/offline",
    "/privacy",
    "/terms",
    "/contact",
    "/api",
    "/sign-in/abc",
    "/positions/realm",
    "/rules/fantasy_realms/cards",
    "/learn/magic_realm/2",
    *[f"/{page}/{game}" for page in ("play", "rules", "ratings", "learn") for game in GAMES],
]
HTML = {"accept": "text/html"}
TEMPLATES = FOLDER.parent / "templates"


async def fetch_page(client: httpx.AsyncClient, path: str, status: int = 200) -> str:
    answer = await client.get(path, headers=HTML, follow_redirects=True)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    check_sentences(answer)
    return answer.text


# ---- every page


@pytest.mark.long
async def test_every_page_is_sound(client: httpx.AsyncClient) -> None:
    faults = {path: Page(await fetch_page(client, path)).find_faults() for path in PAGES}
    assert {path: found for path, found in faults.items() if found} == {}
    assert "realmtable_session" not in client.cookies  # looking does not make a guest


@pytest.mark.long
async def test_pages_of_somebody_are_sound(ann: Person) -> None:
    table = await ann.open_table(game="classic_realm", listed=True)
    await ann.post("/api/me/tokens", {"label": "My <bot>"})
    me = (await ann.get("/api/me"))["player"]
    for path in ("/", "/account", "/my-games", f"/players/{me['id']}", f"/tables/{table}", f"/tables/{table}/replay"):
        html = await fetch_page(ann.client, path)
        assert Page(html).find_faults() == []
        assert me["name"] in html
    assert "My &lt;bot&gt;" in await fetch_page(ann.client, "/account")


async def test_a_page_that_nobody_may_keep_for_another(client: httpx.AsyncClient) -> None:
    answer = await client.get("/")
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "Cookie" in answer.headers["vary"]
    assert (await client.get("/sign-in/secret")).headers["cache-control"] == "no-store"


async def test_the_csrf_token_stands_in_the_page(ann: Person) -> None:
    assert '<meta name="csrf" content="">' in await fetch_page(ann.client, "/")
    await ann.open_table(game="classic_realm")
    token = (await ann.get("/api/me"))["csrf"]
    assert f'<meta name="csrf" content="{token}">' in await fetch_page(ann.client, "/")


async def test_the_theme_is_kept_in_a_cookie(client: httpx.AsyncClient) -> None:
    assert 'data-theme="auto"' in await fetch_page(client, "/")
    client.cookies.set("realmtable_theme", "dark")
    html = await fetch_page(client, "/rules/realm")
    assert 'data-theme="dark"' in html
    assert "?theme=dark" in html
    assert "?theme=auto" not in html
    client.cookies.set("realmtable_theme", '"><script>')
    assert 'data-theme="auto"' in await fetch_page(client, "/")


async def test_what_is_not_there_gets_a_page_that_helps(client: httpx.AsyncClient) -> None:
    for path in ("/nowhere", "/play/chess", "/rules/chess", "/tables/none", "/players/none", "/learn/chess"):
        html = await fetch_page(client, path, 404)
        assert Page(html).find_faults() == []
        assert 'href="/"' in html
        assert (await client.get(path)).json()["error"]["code"] in {"NotFound", "UnknownGame"}
    html = await fetch_page(client, "/nowhere", 404)
    assert "<h1>Page not found</h1>" in html
    assert "The link may be incomplete." in html
    assert SENTENCES[HTTPStatus.NOT_FOUND] not in html


async def test_a_refusal_repeats_nothing_unescaped(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, "/play/%3Cscript%3Ealert(1)%3C%2Fscript%3E", 404)
    assert "<script>alert" not in html
    assert "<b>x" not in await fetch_page(client, "/positions/realm?p=%3Cb%3Ex", 422)


# ---- the lobby


async def test_the_lobby_shows_every_game(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, "/")
    for info in registry.infos():
        assert f'href="/play/{info.id}"' in html
        assert f"/games/{info.id}.svg?theme=auto" in html
        assert info.summary.replace("'", "&#39;") in html
    assert games_in_order()[0].id == "realm"


async def test_open_seats_and_running_games_are_listed(ann: Person, bob: Person) -> None:
    waiting = await ann.open_table(game="classic_realm", listed=True)
    hidden = await ann.open_table(game="classic_realm", listed=False)
    running = await ann.open_table(game="classic_realm", listed=True, seats=["me", "bot:random"])
    seen = (await bob.client.get("/lobby/lists")).text
    assert f'data-api="POST /api/tables/{waiting}/seats"' in seen
    assert f'href="/tables/{running}"' in seen
    assert hidden not in seen
    assert bot_name("random") in seen
    mine = (await ann.client.get("/lobby/lists")).text
    assert f'id="mine-{running}"' in mine
    assert f'id="mine-{hidden}"' in mine
    assert f'id="running-{running}"' not in mine  # not twice
    assert "Your turn" in mine


async def test_the_lists_alone_are_those_of_the_page(client: httpx.AsyncClient) -> None:
    lists = (await client.get("/lobby/lists")).text
    html = await fetch_page(client, "/")
    for part in ("mine", "lists"):
        assert f'id="{part}"' in lists
        assert f'id="{part}"' in html
    assert "<html" not in lists


@pytest.mark.long
async def test_every_game_has_its_picture(client: httpx.AsyncClient) -> None:
    for game in GAMES:
        light, dark = [await client.get(f"/games/{game}.svg?theme={theme}") for theme in ("light", "dark")]
        assert light.headers["content-type"] == "image/svg+xml"
        assert light.text.startswith("<svg")
        assert light.text != dark.text
        assert (await client.get(f"/games/{game}.svg?theme=%22")).text != dark.text
        assert "max-age=86400" in light.headers["cache-control"]
    assert (await client.get("/games/chess.svg")).status_code == 404


async def test_the_rules_have_their_pictures(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, "/rules/classic_realm")
    for address in re.findall(r'src="(/rules/[^"]+)"', html)[:3]:
        assert (await client.get(address)).text.startswith("<svg")
    assert (await client.get("/rules/classic_realm/999.svg")).status_code == 404
    assert (await client.get("/rules")).status_code == 200


@pytest.mark.long
async def test_the_lobby_is_light(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, "/")
    parts = set(re.findall(r'(?:src|href)="(/(?:static|games)/[^"]+)"', html))
    fonts = {path for path in parts if path.endswith(".woff2")}
    sizes = {path: len(gzip.compress((await client.get(path)).content)) for path in parts}
    assert len(gzip.compress(html.encode())) + sum(sizes[path] for path in parts - fonts) < 60_000
    assert sum(sizes[path] for path in fonts) < 30_000


# ---- setting up


@pytest.mark.parametrize("info", registry.infos(), ids=lambda info: info.id)
async def test_the_set_up_offers_every_option_and_recommends_a_variant(
    client: httpx.AsyncClient, info: GameInfo
) -> None:
    html = await fetch_page(client, f"/play/{info.id}")
    found = Page(html)
    names = {field["name"] for tag in ("input", "select") for field in found.all(tag) if "name" in field}
    for option in info.options():
        assert f"options.{option.name}" in names
        assert f'href="/rules/{info.id}#{option.clause}"' in html
    assert {"game", "preset", "clock", "rated", "listed", "position", "after", "_against", "_seat"} <= names
    presets = {field["value"] for field in found.all("input") if field.get("name") == "preset"}
    assert presets == set(info.presets)
    assert f'href="/learn/{info.id}"' in html
    recommended = re.findall(r'for="preset-(\w+)"><strong>[^<]* <span[^>]*>Recommended<', html)
    assert recommended == ([info.suggested_preset] if len(presets) > 1 else [])
    assert html.count("Recommended") == len(recommended)
    legend = "<legend>Opponents</legend>" if max(info.seats) > 2 else "<legend>Opponent</legend>"
    assert 0 <= html.find(legend) < html.index('name="preset"')  # the opponent is asked for first
    (chosen,) = re.findall(r'name="preset" value="(\w+)"[^>]* checked', html)
    (path,) = re.findall(r'class="board-picture" src="([^?]+)[^>]* data-variant-picture', html)
    assert path == f"/games/{info.id}{'' if chosen == info.default_preset else f'/presets/{chosen}'}.svg"
    assert (await client.get(path)).status_code == 200
    assert f'data-variant-picture data-default="{info.default_preset}"' in html


async def test_the_set_up_writes_spaces_as_the_rules_do(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, "/play/oriental_realm")
    assert ">e2</option>" in html
    assert ">Each player chooses</option>" in html


async def test_the_set_up_folds_several_variants(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    total = len(registry.info("realm").presets)
    for shown, folded in ((1, [str(total - 1)]), (total - 2, ["2"]), (total - 1, [])):
        monkeypatch.setattr(setup_choices, "FIRST_PRESETS", shown)
        assert re.findall(r"(\d+) more variants?<", await fetch_page(client, "/play/realm")) == folded


async def test_the_set_up_suggests_the_fullest_game_to_someone_who_has_finished_a_first_one(
    client: httpx.AsyncClient,
) -> None:
    person, info = Person(client), registry.info("magic_realm")
    assert info.presentation.first_preset != info.default_preset
    for suggested in (info.presentation.first_preset, info.default_preset):
        html = await fetch_page(client, "/play/magic_realm")
        assert re.findall(r'name="preset" value="(\w+)"[^>]* data-default checked', html) == [suggested]
        table = await person.post("/api/tables", {"game": "magic_realm", "seats": ["me"]})
        await person.post(f"/api/tables/{table['table']}/resign")
    assert re.search(r'value="first_game"[^>]* checked', await fetch_page(client, "/play/magic_realm")) is None


async def test_the_number_of_players_fits_the_recommended_variant_except_for_two_friends(
    client: httpx.AsyncClient,
) -> None:
    for path, count in (("", "3"), ("?against=link", "2")):
        html = await fetch_page(client, f"/play/fantasy_realms{path}")
        assert re.findall(r'<option value="(\d)" selected', html) == [count]


async def test_the_values_of_presets_and_clocks_are_json(ann: Person) -> None:
    found = Page(await fetch_page(ann.client, "/play/realm"))
    values = [json.loads(field["data-values"]) for field in found.all("input") if "data-values" in field]
    assert len(values) == len(registry.info("realm").presets)
    for option in found.all("option"):
        if option.get("value", "").startswith("{"):
            await ann.open_table(game="classic_realm", clock=json.loads(option["value"]))


async def test_a_game_for_more_and_with_secrets(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    register_toys(monkeypatch)
    html = await fetch_page(client, "/play/secret_cards")
    assert Page(html).find_faults() == []
    assert 'id="against-each"' in html
    assert 'id="against-same"' not in html  # whoever moves for all would see all hands
    assert html.count('name="_each"') == 4
    assert re.findall(r"<option[^>]*>(\d)</option>", html) == ["2", "3", "4"]
    assert (await client.get("/games/secret_cards.svg")).text.startswith("<svg")
    assert "2 to 4 players." in await fetch_page(client, "/")


@pytest.mark.long
async def test_every_preset_has_its_players_and_its_picture(client: httpx.AsyncClient) -> None:
    found = Page(await fetch_page(client, "/play/fantasy_realms?against=link"))
    cards = {field["value"]: field for field in found.all("input") if field.get("name") == "preset"}
    assert json.loads(cards["chaos"]["data-seats"]) == [3, 4, 5, 6, 7]
    assert json.loads(cards["two_player"]["data-seats"]) == [2]
    assert [name for name, field in cards.items() if "checked" in field] == ["two_player"]  # made for two
    *pictures, board = [image["src"] for image in found.all("img") if "/presets/" in image["src"]]
    assert len(pictures) == len(cards)
    assert board == pictures[list(cards).index("two_player")]
    drawn = {(await client.get(path)).text for path in pictures}
    assert len(drawn) == len(cards)
    assert (await client.get("/games/fantasy_realms/presets/nothing.svg")).status_code == HTTPStatus.NOT_FOUND


async def test_newcomers_see_which_variants_there_are_and_which_to_take(client: httpx.AsyncClient) -> None:
    assert "Variants: Standard, Two-player game, Chaos Realms" in await fetch_page(client, "/")
    assert "at the same time, for five minutes." in await fetch_page(client, "/play/fantasy_realms")
    html = await fetch_page(client, "/play/realm")
    nestor, *others = html.split('<div class="choice preset">')[1:]
    assert ["Recommended" in card for card in (nestor, *others)] == [True] + [False] * len(others)
    assert "Standard (Nestor)" in nestor  # else it reads like a player's name
    assert "Plays like nestor" in others[0]


async def test_a_guest_reads_at_once_that_they_cannot_play_rated(client: httpx.AsyncClient) -> None:
    assert "Rated games are for members only." in await fetch_page(client, "/play/realm")
    await Person(client).post("/api/me")
    assert "choose a name and password" in await fetch_page(client, "/play/realm")


async def test_a_position_is_handed_to_the_set_up(client: httpx.AsyncClient) -> None:
    html = await fetch_page(client, "/play/realm?position=%22%3E%3Cb%3E")
    assert 'value="&#34;&gt;&lt;b&gt;"' in html
    assert html.count('<details class="fold" open>') == 1


# ---- tables and records


async def test_a_table_brings_its_scene(ann: Person) -> None:
    table = await ann.open_table(game="classic_realm", seats=["me", "me"])
    nasty = "</script><script>alert(1)</script>"
    await ann.post(f"/api/tables/{table}/chat", {"text": nasty})
    html = await fetch_page(ann.client, f"/tables/{table}")
    assert "<script>alert" not in html
    (data,) = re.findall(r'<script type="application/json" data-role="scene">(.*?)</script>', html, re.DOTALL)
    scene = read_scene(json.loads(data))
    assert scene["table"] == table
    assert scene["chat"][0]["text"] == nasty


# ---- people


async def test_ratings_are_shown_with_their_bars() -> None:
    rows = [
        RatingRow("A", "/a", RatingData(value=1600, plus_minus=100, provisional=False, games=30)),
        RatingRow("B", "/b", RatingData(value=1500, plus_minus=500, provisional=True, games=1)),
    ]
    assert [row.bar for row in add_bars(rows)] == [(50.0, 60.0, 70.0), (0.0, 50.0, 100.0)]
    assert add_bars([]) == []


async def test_a_rated_game_leads_to_the_list(ann: Person, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    await ann.post("/api/me/claim", {"name": "Ada", "password": "correct horse"})
    wishes = {"rated": True, "clock": {"kind": "days", "days": 1}, "listed": True}
    table = await ann.open_table(game="classic_realm", seats=["me", "bot:random"], **wishes)
    monkeypatch.setattr("realmtable.server.tables.rating_conditions.MIN_TURNS", 0)
    monkeypatch.setattr("realmtable.server.accounts.ratings.KNOWN_SIGMA", 100.0)
    monkeypatch.setattr("realmtable.server.accounts.ratings.MIN_OPPONENTS", 1)
    await ann.post(f"/api/tables/{table}/resign")
    # It is done beside the request; once more changes nothing.
    await services.table_service.rate(await services.table_service.table(table))
    html = await fetch_page(ann.client, "/ratings/classic_realm")
    assert Page(html).find_faults() == []
    assert ">Ada</a>" in html
    assert f">{bot_name('random')}</a>" in html
    me = (await ann.get("/api/me"))["player"]["id"]
    profile = await fetch_page(ann.client, f"/players/{me}")
    assert f'href="/tables/{table}/replay"' in profile


async def test_own_games_come_in_pages(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("realmtable.server.site.player_pages.FINISHED_PER_PAGE", 1)
    first, last = [await ann.open_table(game="classic_realm", seats=["me", "me"]) for _ in range(2)]
    for table in (first, last):
        await ann.post(f"/api/tables/{table}/offers", {"what": "draw"})
    newest = await fetch_page(ann.client, "/my-games")
    (address,) = re.findall(r'href="(/my-games\?before=[^"#]+)', newest)
    older = await fetch_page(ann.client, address)
    assert f"/tables/{last}/replay" in newest
    assert f"/tables/{last}/replay" not in older
    assert f"/tables/{first}/replay" in older
    assert "Your turn" not in older


async def test_a_sign_in_link_is_not_used_by_looking(client: httpx.AsyncClient, services: Services) -> None:
    guest, _ = await services.accounts.create_guest()
    token = await services.accounts.make_link(guest.id)
    for _ in range(2):
        assert f'value="{token}"' in await fetch_page(client, f"/sign-in/{token}")
    await Person(client).post("/api/session/link", {"token": token})
    assert guest.name in await fetch_page(client, "/")


# ---- for programs


@pytest.mark.long
async def test_the_reference_holds_every_operation(client: httpx.AsyncClient) -> None:
    schema = (await client.get("/api/openapi.json")).json()
    shown = [operation for group in group_operations(schema) for operation in group.operations]
    told = {(method.upper(), path) for path, methods in schema["paths"].items() for method in methods}
    assert {(operation.method, operation.path) for operation in shown} == told
    html = await fetch_page(client, "/api")
    for operation in shown:
        assert f'id="{operation.id}"' in html
        for text in [*operation.bodies, operation.answer.example or "null"]:
            json.loads(text)


def test_examples_of_shapes() -> None:
    schema = {
        "paths": {
            "/a/{b}": {
                "post": {
                    "description": "Does it.\n\nAt once.",
                    "parameters": [{"name": "b", "in": "path", "required": True, "schema": {"type": "integer"}}],
                    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}},
                    "responses": {"201": {"content": {"text/plain": {}}}},
                }
            }
        },
        "components": {
            "schemas": {
                "A": {
                    "type": "object",
                    "properties": {
                        "self": {"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}]},
                        "kind": {"enum": ["x", "y"]},
                        "many": {"type": "array", "items": {"type": "string"}},
                    },
                }
            }
        },
    }
    (group,) = group_operations(schema)
    (operation,) = group.operations
    assert (group.name, operation.text, operation.id) == ("other", "Does it. At once.", "post-a-b")
    assert operation.parameters[0].kind == "integer"
    assert json.loads(operation.bodies[0])["kind"] == "x"
    assert operation.answer == ("201", "text/plain", "")


# ---- static files


async def test_static_files_are_kept_for_ever(client: httpx.AsyncClient) -> None:
    answer = await client.get(static_files.static_url("style.css"), headers={"accept-encoding": "gzip"})
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.content == static_files.files()["style.css"].content
    plain = await client.get(static_files.static_url("style.css"), headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content
    old = await client.get("/static/0123/style.css")
    assert old.headers["cache-control"] == "no-cache"
    assert (await client.get("/favicon.ico")).headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


async def test_nothing_else_is_served(client: httpx.AsyncClient) -> None:
    for path in ("/static/x/none.js", "/static/x/../templates/base.html", "/static/x/%2e%2e/__init__.py"):
        assert (await client.get(path)).status_code == 404


async def test_scripts_find_each_other(client: httpx.AsyncClient) -> None:
    for name in static_files.files():
        if name.endswith(".js"):
            answer = await client.get(static_files.static_url(name))
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
            for imported in re.findall(r'from "\./([^"]+)"', answer.text):
                assert imported in static_files.files(), f"{name} imports {imported}"


def test_a_misspelt_static_file_is_an_error() -> None:
    with pytest.raises(KeyError):
        static_files.static_url("stile.css")


def test_the_style_stays_small() -> None:
    assert len((FOLDER / "style.css").read_bytes()) < 30_000


def script_closure(name: str) -> set[str]:
    """Return a script and all that it imports."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    imported = {found for line in re.findall(r'from "\./([^"]+)"', text) for found in script_closure(line)}
    return {name} | imported


def test_styles_are_sent_without_their_comments() -> None:
    source, sent = (FOLDER / "style.css").read_bytes(), static_files.files()["style.css"].content
    assert b"/*" in source
    assert b"/*" not in sent
    assert sent.count(b"{") == re.sub(rb"/\*[\s\S]*?\*/", b"", source).count(b"{")


def test_comments_left_out_of_scripts_are_outside_of_texts() -> None:
    for path in FOLDER.glob("*.js"):
        for line in path.read_bytes().splitlines():
            if found := static_files.END_COMMENTS.search(line):
                code = line[: found.start()]
                assert not any(code.count(quote) % 2 for quote in (b'"', b"'", b"`")), line


def test_indentation_left_out_of_scripts_is_no_text_of_a_template() -> None:
    for path in FOLDER.glob("*.js"):
        assert not re.search(rb"^[ \t]", static_files.files()[path.name].content, re.MULTILINE)
        is_inside = False
        for line in static_files.strip_comments(path.read_bytes()).decode().splitlines():
            assert not is_inside or re.match(r"\s*(?:[<`:?}]|\$\{)", line), (path.name, line)
            is_inside ^= line.count("`") % 2 == 1


@pytest.mark.parametrize("template", sorted(path.name for path in TEMPLATES.glob("*.html")))
def test_the_scripts_of_every_page_stay_under_25_kb_on_the_wire(template: str) -> None:
    named = {
        name
        for page in ("base.html", template)
        for name in re.findall(r"static\([\"']([\w.]+\.js)[\"']\)", (TEMPLATES / page).read_text(encoding="utf-8"))
    }
    scripts = {script for name in named for script in script_closure(name)}
    assert scripts
    assert sum(len(static_files.files()[script].gzipped) for script in scripts) < 25_000


@pytest.mark.parametrize(
    ("macro", "players", "you", "text"),
    [
        ("seats", ["Ann", "Knight"], [], "Ann vs Knight"),
        ("seats", ["Ann", None], [0], "You vs open seat"),
        ("seats", ["Knight", "Ann"], [1], "Knight vs You"),
        ("seats", ["Knight", "Ann", "Knight", "Knight"], [1], "You and 3 × Knight"),
        ("seats", ["Ann", "Bob", "Cleo"], [], "Ann, Bob, Cleo"),
        ("seats", ["Ann", "Ann"], [0, 1], "You on all seats"),
        ("seats", ["Ann", "Ann"], [], "Ann on all seats"),
        ("others", ["Ann", "Knight", "Knight", "Knight"], [0], "with 3 × Knight"),
        ("others", ["Ann", "Knight", None, None], [0], "with Knight, 2 open seats"),
        ("others", ["Ann", None], [0], "with an open seat"),
        ("others", ["Ann", "Ann"], [0, 1], "playing both sides"),
        ("others", ["Ann"], [0], "solo"),
    ],
)
def test_lists_name_the_players_of_a_table(macro: str, players: list[str | None], you: list[int], text: str) -> None:
    write: Any = getattr(environment().get_template("list_macros.html").module, macro)
    assert write({"seats": [{"player": player} for player in players], "you": you}) == text


@pytest.mark.parametrize(("bot", "text"), [("level2", "with Page (bot, level 2)"), ("random", "with Page (bot)")])
def test_own_games_mark_bots(bot: str, text: str) -> None:
    macros: Any = environment().get_template("list_macros.html").module
    seats = [{"player": "Ann", "bot": None}, {"player": "Page", "bot": bot}]
    assert macros.others({"seats": seats, "you": [0]}) == text
