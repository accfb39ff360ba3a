"""The source package and the wheel made from it are complete: installed into an empty environment, the wheel plays."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import realmtable

ROOT = Path(__file__).resolve().parents[2]
# The build needs .gitignore: the backend excludes the files it names.
SOURCES = ("pyproject.toml", "README.md", "LICENSE", ".gitignore", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile")
LOCKS = tuple(path.name for path in ROOT.glob("requirements*.lock"))

PLAY_ONE_MOVE = """
import realmtable
g = realmtable.game('realm')
s = g.initial(2, g.options())
m = g.legal_moves(s, 0)[0]
s = g.play(s, 0, m)
print(realmtable.__file__, g.encode(s))
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command outside this checkout and return its output; a failure shows the output."""
    leaks = ("PYTHON", "COV_", "COVERAGE_", "PYTEST_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(leaks)}
    env["REALMTABLE_COMPILE"] = "0"
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source package, and the wheel from it, from a copy of the tree: nothing is written to the checkout."""
    tree = tmp_path_factory.mktemp("tree")
    for name in SOURCES + LOCKS:
        shutil.copy2(ROOT / name, tree / name)
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", tree / "dist", tree, cwd=tree)
    return tree / "dist"


@pytest.fixture(scope="module")
def wheel(packages: Path) -> Path:
    (built,) = packages.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a clean environment with the wheel and, from this environment, only third-party packages."""
    home = tmp_path_factory.mktemp("clean").resolve() / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=home)
    # A path entry comes after the environment's own packages, and the .pth files in the folder it names
    # are not read: the editable install of this checkout stays out of sight.
    site = run(python, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip()
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(site) / "third_party.pth").write_text("\n".join(sorted(here)) + "\n", encoding="utf-8")
    return home


@pytest.mark.long
def test_the_source_package_can_be_set_up_and_built(packages: Path) -> None:
    (built,) = packages.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {*SOURCES, *LOCKS} <= names  # `make` needs the lock files


def test_the_changelog_has_this_version() -> None:
    assert f"\n## {realmtable.__version__} – " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_wheel_carries_every_source_file(wheel: Path) -> None:
    source = ROOT / "src"
    expected = {
        path.relative_to(source).as_posix()
        for path in (source / "realmtable").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected - set(zipfile.ZipFile(wheel).namelist()) == set()


@pytest.mark.long
def test_wheel_carries_rules_records_and_types(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "realmtable/py.typed" in names
    assert "realmtable/games/realm/RULES.md" in names
    assert [name for name in names if name.startswith("realmtable/games/realm/records/")]


@pytest.mark.long
def test_wheel_offers_its_extras(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = message_from_bytes(archive.read(name))
    assert set(metadata.get_all("Provides-Extra", [])) == {
        "server",
        "postgres",
        "redis",
        "rl",
        "openspiel",
        "lab",
        "gpu",
        "check",
    }
    always = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert {line.split(">")[0].split("<")[0] for line in always} == {
        "click",
        "jinja2",
        "numba",
        "numpy",
        "pebble",
        "platformdirs",
        "prompt-toolkit",
        "rich",
    }


@pytest.mark.long
def test_installed_wheel_plays_a_move(environment: Path) -> None:
    printed = run(environment / "bin" / "python", "-I", "-c", PLAY_ONE_MOVE, cwd=environment)
    origin, _, state = printed.strip().partition("__init__.py ")
    assert Path(origin).is_relative_to(environment)
    assert state


@pytest.mark.long
def test_installed_command_lists_realm(environment: Path) -> None:
    assert "realm" in run(environment / "bin" / "realmtable", "games", cwd=environment)
