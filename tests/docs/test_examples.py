"""Commands and programs in the README, the documentation and the examples work as they are written."""

from __future__ import annotations

import importlib.util
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from realmtable.cli.main import group

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "examples/README.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "decisions"),  # they are history
    *sorted((ROOT / "studies").rglob("*.md")),
]
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
PROGRAMS_TESTED_ELSEWHERE = {"environments.md", "vector-environments.md"}  # by tests/rl
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAMS = [
    (str(path.relative_to(ROOT)), program)
    for path in PAGES
    for language, program in BLOCK.findall(path.read_text(encoding="utf-8"))
    if language == "python" and path.name not in PROGRAMS_TESTED_ELSEWHERE and '"cuda"' not in program
]
ASSIGNMENT = re.compile(r"[A-Z_]+=\S*")
PLACEHOLDER = re.compile(r"\b(?:[A-Z]{2,}|N)\b|…|\.\.\.")
MENTIONS = (
    click.MissingParameter,
    click.BadOptionUsage,
    click.exceptions.NoArgsIsHelpError,
)  # of a command, in a sentence


def list_commands(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the commands of a page, and whether each stands in a block: in a sentence it may be shortened."""
    text = path.read_text(encoding="utf-8")
    for language, block in BLOCK.findall(text):
        if language in {"", "sh"}:
            for line in block.replace("\\\n", " ").splitlines():
                yield from ((command, True) for command in line.split(" && "))
    for command in re.findall(r"`([^`\n]+)`", BLOCK.sub("", text)):
        yield command, False


def split_words(command: str) -> list[str]:
    """Split a command into words, without comments and variables before it; what a shell cannot read is no command."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return []
    while words and ASSIGNMENT.fullmatch(words[0]):
        del words[0]
    return words


def parse(words: list[str], *, whole: bool) -> None:
    """Let the command line parse a command without running it."""
    command: click.Command = group
    context = None
    while True:
        try:
            context = command.make_context(words[0], list(words[1:]), parent=context)
        except click.exceptions.Exit:  # --help or --version
            return
        except MENTIONS:
            if whole:
                raise
            return
        arguments = [*context._protected_args, *context.args]
        if not isinstance(command, click.Group) or not arguments:
            return
        _, found, rest = command.resolve_command(context, arguments)
        assert found is not None
        command, words = found, [found.name or "", *rest]


def check_command(words: list[str], *, whole: bool) -> None:
    """Fail if a command names something that does not exist. Programs of others are not checked."""
    program, arguments = Path(words[0]).name, words[1:]
    if program == "realmtable":
        parse(words, whole=whole)
    elif program == "make":
        for name in arguments:
            assert name in TARGETS or not re.fullmatch(r"[a-z]+", name), f"make {name}"
    elif program in {"python", "python3"} and arguments[:1] == ["-m"]:
        assert importlib.util.find_spec(arguments[1]), arguments[1]
    elif program in {"python", "python3"} and arguments and arguments[0].endswith(".py"):
        assert (ROOT / arguments[0]).is_file(), arguments[0]
    elif words[:2] == ["pip", "install"]:
        for extras in re.findall(r"\[(.*?)\]", " ".join(arguments)):
            assert set(extras.split(",")) <= EXTRAS.keys(), extras


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_can_be_read(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command, in_block in list_commands(path):
        words = split_words(command)
        if not words or PLACEHOLDER.search(command):
            continue
        for word in words[1:]:  # the files that a command reads
            if re.fullmatch(r"[\w-]+\.(record|jsonl|toml|backup)", word):
                Path(word).touch()
        try:
            check_command(words, whole=in_block)
        except click.ClickException as error:
            pytest.fail(f"{command}: {error.format_message()}")


@pytest.mark.parametrize(("page", "program"), PROGRAMS, ids=[page for page, _ in PROGRAMS])
def test_programs_run(page: str, program: str) -> None:
    exec(compile(program, page, "exec"), {"__name__": "example"})  # noqa: S102 - our own examples
