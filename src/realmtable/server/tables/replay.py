"""A table from its log: opened, replayed event by event, or gone on with from a snapshot taken between turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from realmtable.engine import registry
from realmtable.engine.errors import RealmtableError
from realmtable.engine.match import Match
from realmtable.server.storage.store import Event, Snapshot, TableRow
from realmtable.server.tables.clock import Clock
from realmtable.server.tables.setup import Setup
from realmtable.server.tables.table import Line, News, Offer, Said, Sitter, Table, after
from realmtable.server.tables.visibility import SecretStep


def opened(row: TableRow) -> Table:
    """A table before its first event."""
    setup = Setup.of(row.setup)
    game = registry.game(row.game)
    match = Match(game, setup.first_state(game))
    empty = (0,) * setup.seats
    return Table(
        id=row.id,
        setup=setup,
        seed=row.seed,
        created_by=row.created_by,
        match=match,
        clock=Clock.wound(setup.clock, setup.seats, row.created_at),
        seats=(None,) * setup.seats,
        offered=(-1,) * setup.seats,
        fresh=empty,
        changed_at=row.created_at,
    )


def replayed(row: TableRow, events: Iterable[Event], snapshot: Snapshot | None = None) -> Table:
    """The table that a log tells. Where the rules of today refuse a step the table stops there, with its trouble."""
    table = opened(row)
    if snapshot is not None and "secrets" in snapshot.data and row.rules_version == table.game.info.rules_version:
        table = _restored(table, snapshot)  # those of older versions do not say who knows of which step
    for event in events:
        if event.version <= table.version:
            continue
        try:
            table = after(table, event)
        except RealmtableError as error:
            sentence = f"The rules have been corrected since; step {table.step + 1} is no longer possible: {error}"
            return replace(table, trouble=sentence)
    return table


def snapshot_of(table: Table) -> Snapshot:
    """A table between turns as data from which `replayed` goes on."""
    data = {
        "state": table.game.encode(table.match.state),
        "draws": table.match.draws,
        "clock": table.clock.as_data(),
        "bell": table.bell,
        "seats": [None if sitter is None else list(sitter) for sitter in table.seats],
        "offer": None if table.offer is None else list(table.offer),
        "offered": list(table.offered),
        "fresh": list(table.fresh),
        "step": table.step,
        "lines": [[*line[:2], list(line.texts), *line[3:]] for line in table.lines],
        "secrets": [[secret.version, secret.step, list(secret.hidden_from)] for secret in table.secrets],
        "news": [[*news[:3], list(news.texts), list(news.words)] for news in table.news],
        "chat": [list(said) for said in table.chat],
        "marks": [list(path) for path in table.last],
        "changed_at": table.changed_at,
    }
    return Snapshot(table.version, data)


def _restored(table: Table, snapshot: Snapshot) -> Table:
    data = snapshot.data
    return replace(
        table,
        match=Match(table.game, table.game.decode(data["state"]), None, data["draws"]),
        clock=Clock.of(table.setup.clock, data["clock"]),
        bell=data["bell"],
        seats=tuple(None if sitter is None else Sitter(*sitter) for sitter in data["seats"]),
        version=snapshot.version,
        started=True,
        offer=None if data["offer"] is None else Offer(*data["offer"]),
        offered=tuple(data["offered"]),
        fresh=tuple(data["fresh"]),
        step=data["step"],
        base=data["step"],
        lines=tuple(Line(turn, seat, tuple(texts), *steps) for turn, seat, texts, *steps in data["lines"]),
        secrets=tuple(SecretStep(version, step, tuple(viewers)) for version, step, viewers in data["secrets"]),
        news=tuple(
            News(version, kind, seat, tuple(texts), tuple(words)) for version, kind, seat, texts, words in data["news"]
        ),
        chat=tuple(Said(*said) for said in data["chat"]),
        marks=tuple(tuple(path) for path in data["marks"]),
        changed_at=data["changed_at"],
    )
