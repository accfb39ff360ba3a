"""The page of balance studies follows from the results of experiments."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from bench import balance_study
from realmtable.lab.balance.balance_files import format_json
from realmtable.lab.balance.stop_rule import StopRule
from tests.lab.balance.helpers import DOUBLE, FakeRunner, make_experiment, make_facts
from tests.lab.balance.test_run_experiment import play_fair, run

COMMAND = "realmtable lab balance classic_realm --option double_moves=off,on --games 400 --workers 1 --out x --html"


def test_the_page_is_written(tmp_path: Path) -> None:
    result = run(make_experiment(DOUBLE), FakeRunner(play_fair), StopRule(40))
    plain = run(make_experiment(), FakeRunner(lambda _: make_facts(lead=None)), StopRule(40))
    (tmp_path / "a.json").write_text(format_json(result, COMMAND), encoding="utf-8")
    (tmp_path / "b.json").write_text(format_json(plain, "realmtable lab balance classic_realm"), encoding="utf-8")
    files = [str(tmp_path / name) for name in ("a.json", "b.json")]
    (tmp_path / "notes.md").write_text("Not many games.\n", encoding="utf-8")
    flags = ["--write", str(tmp_path / "page.md"), "--notes", str(tmp_path / "notes.md")]
    done = CliRunner().invoke(balance_study.main, [*files, *flags])
    assert done.exit_code == 0, done.output
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "`realmtable lab balance classic_realm --option double_moves=off,on --games 40`" in text
    assert "middle.\n\nNot many games.\n\n## Classic Realm, 2 players\n" in text
    assert "| double_moves=on | " in text
    assert "- `double_moves` from off to on: the first player wins +" in text
    assert "a clear change" in text
    assert "| random | 100.0% (91.2% to 100.0%) | 0.0% (0.0% to 8.8%) | < 0.0001 | " in text
    assert text.count("| – | – |") == 1


def test_a_game_for_one_has_no_test() -> None:
    assert balance_study.format_probability(None) == "–"
