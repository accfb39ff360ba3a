"""How a step changes a table: the match, the clocks, the news and the move list, and what each seat may do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from realmtable.engine.match import Match, fold_label, format_move_for, topic_for
from realmtable.engine.protocol import (
    CHANCE,
    CLOCK,
    HasClock,
    HasDescriptions,
    HasNews,
    HasTopics,
    HasUndo,
    Move,
    Seat,
    player_seats,
)
from realmtable.kit.array_state import ArrayState
from realmtable.server.storage.table_store import Event
from realmtable.server.tables.clock import Clock
from realmtable.server.tables.decision_deadlines import next_decision_deadline
from realmtable.server.tables.events.timeout import describe_ranking, rank_last
from realmtable.server.tables.latest_turn import Run, actor_name, format_run
from realmtable.server.tables.scenes.parts import news_cards
from realmtable.server.tables.table import MAX_NEWS, MoveListEntry, News, Offer, Result, Table, replace, share_texts
from realmtable.server.tables.viewer_knowledge import Numbering, SecretStep, names_to_keep, viewer_index, write_names

MAX_UNDO_STEPS: Final = 32  # that a seat can undo in a row, in games that decide for each step


def apply_stepped(table: Table, event: Event, played: Match | None = None) -> Table:
    """Return the table after a step of a player or of chance; `played` is the match after it, if known."""
    game, before = table.game, table.match
    seat = CHANCE if event.seat is None else event.seat
    if played is not None and _continues(table, seat, played):
        match = played
    else:
        match = before.play(seat, game.parse_move(before.state, event.data["move"]))
    assert match.entry is not None  # noqa: S101 - it has just been played
    move = match.entry.move
    texts, told = texts_and_words(table, seat, move, event.data["move"] if match is played else None)
    words = told
    by_default = bool(event.data.get("default"))
    if by_default:
        name = names_to_keep(game)[seat]
        words = tuple(describe_default_step(name, said) if text else "" for text, said in zip(texts, told, strict=True))
    hidden_from = tuple(index for index, text in enumerate(texts) if not text) if len(texts) > 1 else ()
    outcome = match.outcome()
    acting = game.to_move(match.state)
    hidden_steps = table.hidden_steps
    if hidden_from:
        hidden_steps = (*hidden_steps, SecretStep(event.version, table.step + 1, hidden_from))
    cards = news_cards(game, before.state, seat, move, len(table.seats))
    news = (*table.news, News(event.version, event.kind, event.seat, texts, words, cards))
    clock = clock_after_step(table, match, event.at)
    answered_for = _next_answered_for(table, seat, by_default=by_default)
    after = replace(
        table,
        version=event.version,
        changed_at=event.at,
        match=match,
        step=table.step + 1,
        begun=table.begun if seat < 0 or by_default or seat in table.begun else table.begun | {seat},
        # An offer remains open after a secret step, which its end would reveal.
        offer=table.offer if hidden_from else _offer_after_move(table.offer, seat),
        last_paths=(),
        choices_since=_next_choices_since(table, match, seat, event.version),
        result=None
        if outcome is None
        else rank_timed_out_seats(table, Result.from_outcome(outcome, names_to_keep(game))),
        clock=clock,
        clock_deadline=next_clock_deadline(table, match, event.at) if CLOCK in acting else None,
        decision_deadline=next_decision_deadline(table.seats, match, clock, answered_for, event.at),
        answered_for=answered_for,
        hidden_steps=hidden_steps,
        news=latest_news(table, news, hidden_steps),
    )
    # These two read the fields above; nothing else has seen the new table yet.
    after.__dict__["undo_steps"] = _next_undo_steps(table, after, seat, hidden_from)
    after.__dict__["move_list"] = extend_move_list(after, told if game.info.presentation.tells_moves else texts)
    if isinstance(before.state, ArrayState):
        before.state.drop_caches()  # a table keeps many states, but only the latest needs its legal moves
    return after


def _continues(table: Table, seat: Seat, played: Match) -> bool:
    """Whether a match is that of the table after one more step of a seat."""
    return played.parent is table.match and played.entry is not None and played.entry.seat == seat


def _next_undo_steps(
    before: Table, after: Table, mover: Seat, hidden_from: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return the steps that each seat may undo after a step.

    A seat may no longer undo its steps when another seat, which could have reacted to them, has taken a step that it
    knows of. It may after secret steps and those of seats that act at the same time; chance ends it for the seat that
    made chance act.
    """
    game, entry = after.game, after.match.entry
    if not isinstance(game, HasUndo):
        return ()
    assert entry is not None  # noqa: S101 - it has just been played
    cause = _seat_before_chance(before.match) if mover == CHANCE else None
    found: list[tuple[int, ...]] = []
    for seat, steps in enumerate(before.undo_steps or ((),) * len(before.seats)):
        if seat == mover:
            undoable = game.can_undo(entry.before, seat, entry.move)
            found.append((*steps, after.step)[-MAX_UNDO_STEPS:] if undoable else ())
        else:
            unaware = viewer_index(seat) in hidden_from or after.choices_since[seat] != after.version
            found.append(steps if unaware and seat != cause else ())
    return tuple(found)


def _next_answered_for(table: Table, mover: Seat, *, by_default: bool) -> tuple[Seat, ...]:
    """Return the seats that the table has answered for since they last acted themselves."""
    if not by_default and mover not in table.answered_for:  # as after most steps
        return table.answered_for
    others = [seat for seat in table.answered_for if seat != mover]
    return (*others, *[mover] * by_default)


def _seat_before_chance(match: Match) -> Seat | None:
    node: Match | None = match
    while node is not None and node.entry is not None:
        if node.entry.seat != CHANCE:
            return node.entry.seat
        node = node.parent
    return None


def next_clock_deadline(before: Table, match: Match, now: float) -> float | None:
    """Return when the game's own clock acts; a deadline once set stays for as long as the clock may act."""
    game = match.game
    if CLOCK not in game.to_move(match.state) or not isinstance(game, HasClock):
        return None
    return now + game.clock_s(match.state) if before.clock_deadline is None else before.clock_deadline


def _offer_after_move(offer: Offer | None, seat: Seat) -> Offer | None:
    """Return the offer after a move; any other seat's move declines it."""
    return offer if offer is not None and seat in (offer.seat, CHANCE) else None


def _next_choices_since(table: Table, match: Match, mover: Seat, version: int) -> tuple[int, ...]:
    """Return `choices_since` after a move; seats that act at the same time as the mover keep their choices."""
    before, now = table.acting, match.game.to_move(match.state)
    same_turn = match.entry is not None and match.game.turn(match.state) == match.entry.turn
    if not same_turn:
        return tuple(
            known
            if seat != mover and seat in before and seat in now and _keeps_choices(table, match, seat)
            else version
            for seat, known in enumerate(table.choices_since)
        )
    timed = CLOCK in before and CLOCK in now  # seats that are ready may act again at any time
    return tuple(
        known if seat != mover and (timed or (seat in before and seat in now)) else version
        for seat, known in enumerate(table.choices_since)
    )


def _keeps_choices(table: Table, match: Match, seat: Seat) -> bool:
    """Whether a seat that acts at the same time as others has the choices it had before one of them was ready."""
    game, before, after = table.game, table.match.state, match.state
    is_same_round = game.turn(before).number == game.turn(after).number
    return is_same_round and game.legal_moves(before, seat) == game.legal_moves(after, seat)


def clock_after_step(table: Table, match: Match, now: float) -> Clock:
    """Return the clock after a step, or after undoing one, has led to `match`.

    If it goes on for the same seats, it is left as it is: rounding the remaining times would reveal a secret step.
    """
    turn, acting = table.game.turn(table.match.state), table.game.to_move(match.state)
    turn_over = table.game.turn(match.state) != turn or not acting
    if not turn_over and player_seats(acting) == table.clock.running:
        return table.clock
    return table.clock.after_step(turn.seat, player_seats(acting), now, turn_over=turn_over)


def rank_timed_out_seats(table: Table, result: Result) -> Result:
    """Return a result with the seats that ran out of time in last place, if the set-up says so."""
    timed_out = table.timed_out_seats
    if table.setup.timeout_rule != "last" or not timed_out:
        return result
    text = describe_ranking(result.text, result.ranking, timed_out, names_to_keep(table.game))
    return result._replace(ranking=rank_last(result.ranking, timed_out), text=text)


# ---- the news and the move list


def add_news(table: Table, event: Event, texts: tuple[str, ...], words: tuple[str, ...]) -> Table:
    """Return the table with another piece of news."""
    news = (*table.news, News(event.version, event.kind, event.seat, texts, words))
    return replace(table, news=latest_news(table, news, table.hidden_steps))


def latest_news(table: Table, news: tuple[News, ...], hidden_steps: tuple[SecretStep, ...]) -> tuple[News, ...]:
    """Return the latest news, which a table keeps; the rest is forgotten."""
    return _latest_for_each(news, len(table.seats) + 1) if hidden_steps else news[-MAX_NEWS:]


def _latest_for_each(news: tuple[News, ...], viewers: int) -> tuple[News, ...]:
    """Return the latest news of every viewer; secret steps must not push out what others can read."""
    counts = [0] * viewers
    latest: list[News] = []
    for item in reversed(news):
        readers = [index for index in range(viewers) if item.is_known(index)]
        if any(counts[index] < MAX_NEWS for index in readers):
            latest.append(item)
        for index in readers:
            counts[index] += 1
    return tuple(reversed(latest))


def texts_and_words(table: Table, seat: Seat, move: Move, text: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a step in notation and in words: one of each, or one for spectators and each seat.

    `text` is its notation, if the caller has just formatted it.
    """
    game, state = table.game, table.match.state
    name = actor_name(seat, names_to_keep(game))
    if game.info.hidden:
        viewers = (None, *range(len(table.seats)))
        texts = tuple(format_move_for(game, state, seat, move, viewer) for viewer in viewers)
        if isinstance(game, HasNews):
            return texts, tuple(game.news(state, seat, move, viewer) for viewer in viewers)
        return texts, tuple(f"{name}: {text}" for text in texts)
    text = game.format_move(state, move) if text is None else text
    if isinstance(game, HasNews):
        return (text,), (game.news(state, seat, move, None),)
    words = game.describe_move(state, move) if isinstance(game, HasDescriptions) else text
    return (text,), (f"{name}: {words}",)


def describe_default_step(name: str, words: str) -> str:
    """Return the words of a step that the table took for a silent seat; the game may have none for it.

    >>> describe_default_step("Azure", "Azure: Decline Protection"), describe_default_step("Azure", "")
    ('Azure did not answer in time: Decline Protection', 'Azure did not answer in time')
    >>> describe_default_step("Azure", "Azure declines Protection")
    'Azure did not answer in time and declines Protection'
    """
    if words.startswith(f"{name} "):
        return f"{name} did not answer in time and {words.removeprefix(f'{name} ')}"
    step = words.removeprefix(f"{name}: ")
    return f"{name} did not answer in time" + (f": {step}" if step else "")


def extend_move_list(table: Table, texts: tuple[str, ...]) -> tuple[MoveListEntry, ...]:
    """Return the list of moves with the latest step, which viewers read as `texts`, appended."""
    run = table.latest_run
    if line := _fold_chance_line(table, run):
        return (*table.move_list[: -1 if table.move_list and table.move_list[-1].first == line.first else None], line)
    if table.game.info.hidden:
        shared = share_texts(texts, _topics(table, (None, *range(len(table.seats)))))
        return (*table.move_list, MoveListEntry(run.turn, run.seat, first=table.step, last=table.step, **shared))
    return with_latest_turn(table, run)


def _topics(table: Table, viewers: Sequence[Seat | None]) -> tuple[str, ...]:
    """Return the topic of the latest step for each viewer; empty if the game has no topics."""
    entry = table.match.entry
    assert entry is not None  # noqa: S101 - the caller has played a step
    if not isinstance(table.game, HasTopics):
        return ()
    return tuple(topic_for(table.game, entry.before, entry.seat, entry.move, viewer) for viewer in viewers)


def with_latest_turn(table: Table, run: Run) -> tuple[MoveListEntry, ...]:
    """Return the list of moves with the latest turn, which has the topic of its first step."""
    first = table.step - len(run.moves) + 1
    earlier = table.move_list[:-1] if table.move_list and table.move_list[-1].first == first else table.move_list
    game = table.game
    topics = (topic_for(game, run.before, run.seat, run.moves[0], None),) if isinstance(game, HasTopics) else ()
    text = format_run(game, run)
    return (*earlier, MoveListEntry(run.turn, run.seat, (text,), first, table.step, topics=topics))


def _fold_chance_line(table: Table, run: Run) -> MoveListEntry | None:
    """Return the line that a step of chance shares with the ones before it, if any."""
    text = fold_label(table.game, run.seat, run.before, run.moves[0])
    if not text:
        return None
    before = table.move_list[-1] if table.move_list else None
    is_shared = before is not None and before.texts == (text,) and not before.readers and before.last == table.step - 1
    first = before.first if before and is_shared else table.step
    return MoveListEntry(run.turn, run.seat, (text,), first, table.step, topics=_topics(table, (None,)))


def list_news(table: Table, viewer: Seat | None, numbering: Numbering, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the latest news that a viewer may know of, as plain data."""
    index = viewer_index(viewer)
    known = [news for news in table.news if news.is_known(index)][-MAX_NEWS:]
    return [_news_data(news, index, numbering, names) for news in known]


def _news_data(news: News, index: int, numbering: Numbering, names: Sequence[str]) -> dict[str, Any]:
    card = news.cards[index if len(news.cards) > 1 else 0] if news.cards else None
    return {
        "version": numbering.visible_version(news.version),
        "seat": news.seat,
        "kind": news.kind,
        "text": news.texts[index] if len(news.texts) > 1 else news.texts[0],
        "words": write_names(news.words[index] if len(news.words) > 1 else news.words[0], names),
        **({} if card is None else {"card": card}),
    }
