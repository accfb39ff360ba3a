import pytest
from click.testing import CliRunner

from bench import load


@pytest.mark.slow
@pytest.mark.parametrize("part", ["plain", "pictures"])
def test_a_small_run_has_moves_and_no_errors(part: str) -> None:
    arguments = ["--tables", "8", "--seconds", "1", "--rate", "16", "--only", part]
    result = CliRunner().invoke(load.main, arguments)
    assert result.exit_code == 0, result.output
    assert result.output.count("| Realmtable, classic_realm") == 2
