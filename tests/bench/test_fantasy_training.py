from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bench import fantasy_gradients, fantasy_selfplay, fantasy_training
from bench.fantasy_gradients import (
    Adam,
    Targets,
    backward,
    compute_errors,
    compute_targets,
    forward,
    load,
    network_inputs,
    new_weights,
    save,
    train_step,
)
from bench.fantasy_selfplay import (
    AREA,
    BEFORE,
    COLUMNS,
    DECK,
    GREEDY,
    HAND,
    HANDS,
    KNOWN,
    LAST,
    LEAD,
    LEARNER,
    LYING,
    MOST_RECORDS,
    MOST_TURNS,
    NEXT,
    OTHERS,
    OUTPUTS,
    PILE,
    PLAYER,
    POINTS,
    SEAT,
    SEATS,
    THEIRS,
    TURN,
    WORTH,
    GameContext,
    Records,
    Weights,
    accumulate_inputs,
    deal,
    play_game,
    read_output,
    run_layers,
    sample_draw_value,
)
from bench.fantasy_training import (
    LINEUP_CYCLE,
    MATCH_FIRST_GAME,
    Task,
    Trainer,
    format_match,
    lineup,
    play_all,
    play_match,
    play_task,
    prepare_game,
)
from realmtable.games.fantasy_realms.bots import network as net
from realmtable.games.fantasy_realms.cards import HAND_SIZE
from realmtable.games.fantasy_realms.scoring.card_arrays import STRENGTH_OF
from realmtable.kit.compile import is_compiling
from realmtable.lab.jobs.local_runner import LocalRunner

TINY = (6, 4)  # hidden units, so that games are fast
FOUR, TWO = 0, 1  # numbers of games with four and with two learners


def tiny_weights(seed: int = 1) -> Weights:
    """Return a tiny network with non-trivial outputs."""
    rng = np.random.default_rng(seed)
    weights = new_weights(rng, TINY)
    return Weights(*(array + (rng.standard_normal(array.shape) * 0.1).astype(np.float32) for array in weights))


@pytest.fixture(autouse=True)
def quick_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    """When interpreted, score a hand by its strengths: real scoring takes seconds per game."""

    def sum_strengths(play: GameContext, hand: int, _lying: int) -> int:
        return sum(play.tables[STRENGTH_OF + card] for card in range(net.CARD_COUNT) if hand >> card & 1)

    if not is_compiling():
        monkeypatch.setattr(fantasy_selfplay, "hand_worth", sum_strengths)


@pytest.fixture
def short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fantasy_gradients, "FEWEST_STEPS", 10)
    monkeypatch.setattr(fantasy_gradients, "HALF_BATCH", 32)


@pytest.fixture
def records() -> Records:
    return play_task(Task(tiny_weights(), FOUR, 3, seed=5, untaught=True)).records


def random_records(rng: np.random.Generator, number: int) -> Records:
    """Make plausible records without playing."""
    found = np.zeros((number, COLUMNS), np.int64)
    for row in found:
        cards = [1 << int(card) for card in rng.permutation(net.CARD_COUNT)]
        row[HAND], row[LYING], row[KNOWN] = sum(cards[:7]), sum(cards[7:12]), sum(cards[12:15])
        row[SEATS], row[WORTH], row[LAST] = rng.integers(2, 7), rng.integers(-20, 300), sum(cards[3:10])
        row[POINTS], row[OTHERS], row[LEAD] = rng.integers(100, 300), rng.integers(100, 300), rng.integers(-800, 800)
    return found


# ---- the network


def test_records_give_the_network_the_same_inputs_as_the_game() -> None:
    found = random_records(np.random.default_rng(1), 20)
    columns = (HAND, LYING, KNOWN, SEATS, WORTH)
    moments = [net.TurnEnd(*(int(row[column]) for column in columns)) for row in found]
    assert np.array_equal(network_inputs(found), net.network_inputs(moments))


@pytest.mark.parametrize("dropped", [-1, 3])
def test_self_play_hears_what_the_game_would_hear(dropped: int) -> None:
    weights, hand, discard, theirs, worth = tiny_weights(), 0b1111111, 1 << 20 | 1 << 30, 1 << 40, 123
    if dropped >= 0:
        hand |= 1 << HAND_SIZE
    play = prepare_game(Task(weights, FOUR, 1, seed=1), FOUR)
    play.game[THEIRS] = theirs
    accumulate_inputs(play, hand, discard)
    after = net.TurnEnd(hand, discard, theirs, 4, worth)
    if dropped >= 0:
        after = after._replace(hand=hand ^ 1 << dropped, discard=discard | 1 << dropped)
    run_layers(play, after.discard.bit_count(), worth, dropped)
    said = net.POINTS_SCALE * forward(weights, net.network_inputs([after])).outputs[0]
    assert [read_output(play, output) for output in (net.POINTS, net.OTHERS, DECK)] == pytest.approx(
        [said[net.POINTS], said[net.OTHERS], said[DECK]], abs=1e-3
    )


def test_slopes_are_those_that_small_steps_show() -> None:
    rng = np.random.default_rng(3)
    weights = Weights(*(array.astype(np.float64) for array in tiny_weights()))
    after, before = random_records(rng, 12), random_records(rng, 9)
    aim = Targets(*(array.astype(np.float64) for array in compute_targets(weights, after, after, before)))
    rows = network_inputs(np.concatenate([after, before])).astype(np.float64)
    layers = forward(weights, rows)
    slopes = backward(weights, layers, compute_errors(layers.outputs, aim)[1])
    for array, slope in zip(weights, slopes, strict=True):
        for at in rng.choice(array.size, 25):
            before_step, step, totals = array.flat[at], 1e-6, []
            for value in (before_step - step, before_step + step):
                array.flat[at] = value
                totals.append(compute_errors(forward(weights, rows).outputs, aim)[0].total())
            array.flat[at] = before_step
            assert slope.flat[at] == pytest.approx((totals[1] - totals[0]) / (2 * step), rel=1e-4, abs=1e-7)


def test_lessons_on_the_same_records_make_every_error_smaller() -> None:
    rng = np.random.default_rng(4)
    weights, after, before = new_weights(rng, (16, 8)), random_records(rng, 24), random_records(rng, 24)
    adam = Adam(weights)
    first, *_, last = [train_step(weights, adam, (after, after, before), 1e-2) for _ in range(120)]
    assert all(late < 0.6 * early for early, late in zip(first, last, strict=True)), (first, last)


def test_the_range_holds_eight_games_of_ten() -> None:
    rng = np.random.default_rng(6)
    weights, after, before = new_weights(rng, TINY), random_records(rng, 200), random_records(rng, 10)
    after[:, :POINTS] = after[0, :POINTS]  # the same moment with different endings
    adam = Adam(weights)
    for step in range(300):
        train_step(weights, adam, (after, after, before), 3e-2 if step < 200 else 3e-3)
    said = forward(weights, network_inputs(after[:1])).outputs[0]
    came = (after[:, POINTS] - after[:, WORTH]) / net.POINTS_SCALE
    assert [(came < said[output]).mean() for output in (net.LOW, net.HIGH)] == pytest.approx([0.1, 0.9], abs=0.03)


def test_half_of_what_is_learnt_is_what_is_said_of_the_next_turn() -> None:
    rng = np.random.default_rng(7)
    weights, after, later = tiny_weights(), random_records(rng, 2), random_records(rng, 2)
    after[0, NEXT] = 1
    said = forward(weights, network_inputs(later)).outputs[0]
    worth, later_worth = after[:, WORTH] / net.POINTS_SCALE, later[:, WORTH] / net.POINTS_SCALE
    came = after[:, POINTS] / net.POINTS_SCALE - worth
    aim = compute_targets(weights, after, later, after)
    assert aim.points[0] == pytest.approx((came[0] + said[net.POINTS] + later_worth[0] - worth[0]) / 2, abs=1e-5)
    assert aim.points[1] == pytest.approx(came[1], abs=1e-5)
    assert aim.final == pytest.approx(came, abs=1e-5)
    others = (after[:, OTHERS] - net.USUAL_BEST_OTHER) / net.POINTS_SCALE
    assert aim.others == pytest.approx([(others[0] + said[net.OTHERS]) / 2, others[1]], abs=1e-5)


# ---- games


def test_records_hold_what_a_player_may_know(records: Records) -> None:
    assert not (records[:, HAND] & records[:, LYING]).any()
    assert not (records[:, HAND] & records[:, KNOWN]).any()
    assert not (records[:, LYING] & records[:, KNOWN]).any()
    many = records[records[:, SEATS] > 2]
    assert {int(hand).bit_count() for hand in many[:, HAND]} == {HAND_SIZE}
    two = records[records[:, SEATS] == 2]
    assert {int(hand).bit_count() for hand in two[:, HAND]} == {*range(HAND_SIZE + 1)}


def test_records_after_turns_know_the_end_and_the_players_next_record(records: Records) -> None:
    after = np.flatnonzero(records[:, BEFORE] == 0)
    assert len(after) == len(records) / 2
    for row in after:
        later = records[row + records[row, NEXT]]
        assert [*later[[SEAT, BEFORE, POINTS, OTHERS, LAST]]] == [*records[row, [SEAT, BEFORE, POINTS, OTHERS, LAST]]]
        between = records[row + 1 : row + records[row, NEXT]]
        assert not ((between[:, SEAT] == later[SEAT]) & (between[:, BEFORE] == 0)).any()
    last = records[after][records[after, NEXT] == 0]
    assert np.array_equal(last[:, HAND], last[:, LAST])


def test_a_game_ends_with_ten_cards_in_the_discard_area_or_twelve_for_two() -> None:
    for number, seats, least, most in ((FOUR, 4, 10, 10), (TWO, 2, 12, 14)):
        play = prepare_game(Task(tiny_weights(), number, 1, seed=2, untaught=True), number)
        play_game(play, np.zeros((MOST_RECORDS, COLUMNS), np.int64))
        assert least <= int(play.game[AREA]).bit_count() <= most
        assert [int(hand).bit_count() for hand in play.game[HANDS : HANDS + seats]] == [HAND_SIZE] * seats
        assert play.game[TURN] < MOST_TURNS


def test_only_learners_write_records() -> None:
    task = Task(tiny_weights(), MATCH_FIRST_GAME, 1, seed=3, is_match=True)
    found = play_task(task)
    (result,) = found.results
    assert sorted(result.players) == [GREEDY, GREEDY, LEARNER, LEARNER]
    assert {result.players[seat] for seat in found.records[:, SEAT]} == {LEARNER}


def test_an_uninformed_network_values_a_draw_by_a_card_of_the_deck() -> None:
    play = prepare_game(Task(tiny_weights(), FOUR, 1, seed=3), FOUR)
    play.game[PLAYER] = GREEDY
    deal(play.game, play.stream)
    hand, best = int(play.game[HANDS]), set()
    for card in play.game[PILE + 4 * HAND_SIZE : PILE + net.CARD_COUNT]:
        eight = hand | 1 << int(card)
        dropped = [1 << other for other in range(net.CARD_COUNT) if eight >> other & 1]
        best.add(max(float(fantasy_selfplay.hand_worth(play, eight ^ one, one)) for one in dropped))
    assert {sample_draw_value(play) for _ in range(300)} == best


def test_every_company_sits_at_every_table_in_a_round() -> None:
    games = [lineup(number, is_match=False) for number in range(LINEUP_CYCLE)]
    assert {len(players) for players in games} == {2, 3, 4, 5, 6}
    for seats in range(2, 7):
        companies = {players.count(GREEDY) for players in games if len(players) == seats}
        assert companies == {0, seats // 2, seats // 3}


def test_the_same_games_are_played_by_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fantasy_training, "CHUNK_GAMES", 1)
    task = Task(tiny_weights(), FOUR, 2, seed=5, untaught=True)
    whole, apart = play_task(task), play_all(task, LocalRunner(1))
    assert np.array_equal(whole.records, apart.records)
    assert whole.results == apart.results
    other = play_task(task._replace(seed=6))
    assert other.results != whole.results


def test_a_match_reports_points_and_first_places() -> None:
    match = play_match(tiny_weights(), 1, LocalRunner(1), games=2)
    assert match.games == 2
    assert match.share in (0, 0.25, 0.5, 0.75, 1)
    assert "of the first places" in format_match(match)


# ---- the whole


@pytest.mark.usefixtures("short_lessons")
def test_a_network_is_saved_in_the_games_format_and_training_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, out = tmp_path / "start.npz", tmp_path / "data" / "expectations.npz"
    out.parent.mkdir()
    save(start, tiny_weights())
    school = Trainer(2, 1, out, start)
    one, two = islice(school.run_generations(LocalRunner(1)), 2)
    assert (one.number, two.number, len(two.results)) == (1, 2, 2)
    assert one.errors != two.errors
    monkeypatch.setattr(net, "files", lambda _: tmp_path)
    read = net.load_network.__wrapped__()
    rows = network_inputs(random_records(np.random.default_rng(8), 5))
    said = forward(school.weights, rows).outputs
    assert read.outputs(rows) == pytest.approx(said[:, :OUTPUTS], abs=0.02)
    again, knows_draws = load(out)
    assert knows_draws
    assert forward(again, rows).outputs == pytest.approx(said, abs=0.02)
    assert not np.array_equal(load(start)[0].w1, again.w1)


@pytest.mark.usefixtures("short_lessons")
def test_the_command_reports_each_generation_and_the_networks_file(tmp_path: Path) -> None:
    start, out = tmp_path / "start.npz", tmp_path / "out.npz"
    save(start, tiny_weights())
    options = ["--minutes", "0.0001", "--games", "2", "--workers", "1", "--start", str(start), "--out", str(out)]
    result = CliRunner().invoke(fantasy_training.main, options)
    assert result.exit_code == 0, result.output
    assert "Generation 1: 2 games; mean points of four" in result.output
    assert f"{out} contains the network of generation 1." in result.output
    load(out)


def test_ctrl_c_keeps_the_generations_that_are_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.npz"

    def run_two_then_interrupt(trainer: Trainer, *_: object) -> None:
        trainer.generations_done = 2
        raise KeyboardInterrupt

    monkeypatch.setattr(fantasy_training, "run_training", run_two_then_interrupt)
    result = CliRunner().invoke(fantasy_training.main, ["--out", str(out)])
    assert result.exit_code == 0
    assert f"{out} contains the network of generation 2." in result.output


def test_ctrl_c_in_the_first_generation_says_that_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(fantasy_training, "play_all", interrupt)
    monkeypatch.setattr(fantasy_training, "is_compiling", lambda: False)
    result = CliRunner().invoke(fantasy_training.main, ["--workers", "1", "--out", str(tmp_path / "out.npz")])
    assert result.exit_code == 0
    assert "nothing was written" in result.output
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--minutes", "0"], "'--minutes': 0.0 is not in the range x>0."),
        (["--workers", "0"], "'--workers': 0 is not in the range 1<=x<=256."),
        (["--games", "1"], "'--games': 1 is not in the range 2<=x<=1000000."),
        (["--start", "nowhere.npz"], "'nowhere.npz' does not exist."),
        (["--out", "no/where.npz"], "no is not a writable folder."),
        (["--out", "text.npz"], "text.npz already exists; continue from it with --start, or name another file."),
        (["--start", "text.npz"], "text.npz is not a file of weights."),
        (["--start", "array.npz"], "array.npz is not a file of weights."),
        (["--start", "few.npz"], "few.npz lacks b1, b2, b3, w2, w3."),
        (["--start", "other.npz"], "other.npz contains a network whose inputs or outputs do not match the game."),
    ],
)
def test_bad_arguments_get_one_sentence(
    options: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.npz").write_text("text", encoding="utf-8")
    with Path("array.npz").open("wb") as file:
        np.save(file, np.zeros(3))
    np.savez("few.npz", w1=np.zeros((net.INPUTS, 3)))
    save(Path("other.npz"), tiny_weights()._replace(w1=np.zeros((net.INPUTS + 1, TINY[0]))))
    result = CliRunner().invoke(fantasy_training.main, options)
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split())


def test_a_network_without_a_word_on_draws_can_be_gone_on_from(tmp_path: Path) -> None:
    path = tmp_path / "shipped.npz"
    weights = tiny_weights()._asdict()
    weights["w3"], weights["b3"] = weights["w3"][:, :OUTPUTS], weights["b3"][:OUTPUTS]
    np.savez(path, **weights)
    found, knows_draws = load(path)
    assert not knows_draws
    assert Trainer(2, 1, tmp_path / "out.npz", path).untaught
    assert not found.w3[:, DECK].any()
    assert np.array_equal(found.w3[:, :OUTPUTS], weights["w3"])


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.usefixtures("short_lessons")
def test_two_processes_teach_a_network(tmp_path: Path) -> None:
    start, out = tmp_path / "start.npz", tmp_path / "out.npz"
    save(start, tiny_weights())
    (only,) = islice(Trainer(20, 1, out, start).run_generations(LocalRunner(2)), 1)
    (same,) = islice(Trainer(20, 1, out, start).run_generations(LocalRunner(1)), 1)
    assert only.results == same.results
    assert only.errors == same.errors
