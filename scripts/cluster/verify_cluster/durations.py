"""Durations as `verify` has them: `5s`, `250ms`, `1h30m`; a bare number is seconds."""

from __future__ import annotations

import re

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(text: str) -> float:
    """The seconds of a duration; ValueError if it is none."""
    if text.isdecimal():
        text += "s"
    parts = re.findall(r"([0-9]+)(ms|s|m|h)", text)
    total = sum(int(number) * UNITS[unit] for number, unit in parts)
    if "".join(number + unit for number, unit in parts) != text or total == 0:
        raise ValueError(f"`{text}` is no time such as 5s, 250ms or 1h30m")
    return total
