"""The results of `bench.mutation`, stored in a file and formatted as a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.mutation.mutators import Mutant
from realmtable.lab.match_statistics import wilson

KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"
Key = tuple[Mutant, str]


@dataclass(frozen=True)
class Result:
    """The result of testing a mutant."""

    mutant: Mutant
    digest: str  # of the file that was mutated
    outcome: str
    seconds: float
    tests: int  # that were run
    left_out: int  # tests of the line skipped for lack of time
    by: str = ""  # the first test that failed

    @property
    def key(self) -> Key:
        """Identifies the mutant and the version of its file."""
        return self.mutant, self.digest


def read_results(path: Path) -> dict[Key, Result]:
    """Read the results of earlier runs; the latest result of a mutant counts."""
    results = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        values = json.loads(line)
        result = Result(**{**values, "mutant": Mutant(**values["mutant"])})
        results[result.key] = result
    return results


def append_result(path: Path, result: Result) -> None:
    """Write a result at once, so that an interrupted run loses nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")


def table(results: Sequence[Result]) -> str:
    """Format the figures by folder, and the total."""
    rows: dict[str, list[Result]] = {}
    for result in results:
        rows.setdefault(str(Path(result.mutant.path).parent).removeprefix("src/realmtable/"), []).append(result)
    lines = [
        "| folder | mutants | killed | timed out | survived | share of survivors (95%) |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for name, found in [*sorted(rows.items()), *([("all", list(results))] if len(rows) > 1 else [])]:
        count = Counter(result.outcome for result in found)
        share = count[SURVIVED] / len(found)
        low, high = wilson(share, len(found))
        lines.append(
            f"| {name} | {len(found)} | {count[KILLED]} | {count[TIMED_OUT]} | {count[SURVIVED]} "
            f"| {share:.0%} ({low:.0%}–{high:.0%}) |"
        )
    return "\n".join(lines)


def survivor_list(results: Sequence[Result]) -> str:
    """List the mutants that no test noticed, each with the number of tests that were run."""
    lines = []
    for result in sorted(results, key=lambda one: (one.mutant.path, one.mutant.start)):
        if result.outcome == SURVIVED:
            asked = f"{result.tests} tests" + (f", {result.left_out} skipped" if result.left_out else "")
            lines.append(f"{result.mutant.text}  ({asked if result.tests else 'no test runs it'})")
    return "\n".join(lines)
