import pytest
from click.testing import CliRunner

from bench import load, load_players, server_process


@pytest.mark.slow
@pytest.mark.parametrize("part", ["plain", "pictures"])
def test_a_small_run_has_moves_and_no_errors(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((load_players, "DRAIN"), (load_players, "FIRST_SCENE"), (server_process, "START")):
        monkeypatch.setattr(module, f"{name}_TIMEOUT_S", 300.0)  # for a busy machine
    arguments = ["--tables", "8", "--seconds", "1", "--rate", "16", "--only", part]
    result = CliRunner().invoke(load.main, arguments)
    assert result.exit_code == 0, result.output
    assert result.output.count("| Realmtable, classic_realm") == 2
