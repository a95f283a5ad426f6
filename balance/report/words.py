"""Numbers and names as people read them; the same words in the page, the summary and the terminal."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from balance.stats.estimate import Estimate, Refusal

MINUS = "\u2212"
NONE = "\u2013"
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")  # would turn round the numbers behind a name
# What is to be typed, in the report's own sentences.
CODE = re.compile(r"`([a-z_]+: [a-z_]+|--[a-z]+ \d+|balance [^`]+)`")

AS_ABOVE = "Not available, for the reason given under hero strength."


def number(value: float, digits: int = 1, signed: bool = False) -> str:
    """A number with a true minus sign; an en dash when there is none."""
    if not math.isfinite(value):
        return NONE
    text = f"{abs(value):,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        return text
    sign = MINUS if value < 0 else ("+" if signed else "")
    return sign + text


def count(value: float) -> str:
    """A whole number with thousands separated."""
    return f"{round(value):,}"


def percent(value: float, digits: int = 1) -> str:
    """A share in per cent."""
    return number(100 * value, digits) + (" %" if math.isfinite(value) else "")


def points(value: float, digits: int = 1) -> str:
    """A difference of shares in percentage points, signed."""
    return number(100 * value, digits, signed=True) + (" pp" if math.isfinite(value) else "")


def share_range(estimate: Estimate) -> str:
    """Interval of a share, such as ``51.5 to 53.0``."""
    return _range(estimate, lambda value: number(100 * value))


def points_range(estimate: Estimate) -> str:
    """Interval of a difference in percentage points."""
    return _range(estimate, lambda value: number(100 * value, signed=True))


def value_range(estimate: Estimate) -> str:
    """Interval of a plain number."""
    return _range(estimate, lambda value: number(value, digits_for(estimate.value)))


def _range(estimate: Estimate, text) -> str:  # type: ignore[no-untyped-def]
    if not (math.isfinite(estimate.low) and math.isfinite(estimate.high)):
        return NONE
    return f"{text(estimate.low)} to {text(estimate.high)}"


def digits_for(value: float) -> int:
    """Decimals that show three figures or so."""
    size = abs(value)
    return 0 if size >= 1000 else 1 if size >= 10 else 2


def plain(value: float) -> str:
    """A mean with a sensible number of decimals."""
    return number(value, digits_for(value))


def p_value(p: float) -> str:
    """A p-value: ``< .001`` or three decimals."""
    if not math.isfinite(p):
        return NONE
    return "< .001" if p < 0.001 else f"{p:.3f}".lstrip("0") if p < 0.9995 else "1"


def title(slug: str) -> str:
    """A name for a slug: ``big_hitters`` becomes ``Big hitters``."""
    text = slug.replace("_", " ").strip()
    return text[:1].upper() + text[1:]


def level_words(levels: Sequence[str]) -> tuple[str, ...]:
    """Short names of skill levels: ``greedy`` for ``greedy:0.05`` when that stays unmistakable."""
    short = [level.split(":")[0] if "," not in level else level for level in levels]
    return tuple(s if short.count(s) == 1 else level for s, level in zip(short, levels, strict=True))


def listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def plural(n: int, word: str) -> str:
    """``1 arena``, ``2 arenas``."""
    return f"{count(n)} {word}" if n == 1 else f"{count(n)} {word}s"


def refusal_lines(found: Sequence[object]) -> tuple[str, ...]:
    """Why numbers are missing and what would bring them, each reason once."""
    texts = [f"{item.reason} {item.instead}".strip() for item in found if isinstance(item, Refusal)]
    return tuple(dict.fromkeys(texts))
