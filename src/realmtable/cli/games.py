"""`realmtable games`: list the games and their options."""

from __future__ import annotations

import json
from typing import Any

import click

from realmtable.engine import registry
from realmtable.engine.options import OptionInfo
from realmtable.engine.protocol import GameInfo


@click.command("games")
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(game_id: str | None, as_json: bool) -> None:
    """List the games with their seats, options (with bounds, default and source) and presets."""
    infos = [registry.info(game_id)] if game_id else registry.infos()
    if as_json:
        click.echo(json.dumps([game_data(info) for info in infos], indent=2))
        return
    for info in infos:
        click.echo(_format_game(info))
    for problem in registry.problems().values():
        click.echo(problem, err=True)


def game_data(info: GameInfo) -> dict[str, Any]:
    """Return the facts about a game as plain data."""
    return {
        "id": info.id,
        "title": info.title,
        "summary": info.summary,
        "tier": info.tier,
        "seats": list(info.seats),
        "seat_names": list(info.seat_names),
        "hidden": info.hidden,
        "chance": info.chance,
        "rules_version": info.rules_version,
        "sources": list(info.sources),
        "default_preset": info.default_preset,
        "options": [_option_data(option) for option in info.options()],
        "presets": {name: dict(values) for name, values in info.presets.items()},
    }


def _option_data(option: OptionInfo) -> dict[str, Any]:
    data = option._asdict()
    data["choices"], data["choice_titles"] = list(option.choices) or None, list(option.choice_titles) or None
    return {name: value for name, value in data.items() if value is not None}


def _format_game(info: GameInfo) -> str:
    lines = [f"{click.style(info.title, bold=True)}   {info.id}, {info.players}", f"  {info.summary}"]
    if info.options():
        lines += ["", "  Options"]
    for option in info.options():
        default = _format_value(option.default)
        lines.append(f"    {click.style(option.name, bold=True)}   {option.describe_bounds()}; default {default}")
        lines.append(f"        {option.help} [{option.clause}; {option.source}]")
    lines += ["", "  Presets"]
    for name, values in info.presets.items():
        settings = ", ".join(f"{key}={_format_value(value)}" for key, value in values.items())
        mark = " (default)" if name == info.default_preset else ""
        lines.append(f"    {click.style(name, bold=True)}{mark}   {settings or 'all options at their default'}")
    return "\n".join([*lines, ""])


def _format_value(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
