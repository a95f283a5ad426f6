"""Cases: positions with a question and the expected answer."""

from __future__ import annotations

from fractions import Fraction

import yaml

from .actions import after, legal, outcomes
from .base import RuleError
from .documents import load
from .position import canonical


def answer(case):
    """A list of texts, a text, or a dict from text to exact probability."""
    pos = load(case["position"])
    if case["ask"] == "legal":
        return legal(pos)
    if case["ask"] == "after":
        return canonical(after(pos, case["action"]))
    if case["ask"] == "outcomes":
        return outcomes(pos, case["action"])
    raise ValueError(f"unknown ask {case['ask']}")


def expected(case):
    if case["ask"] == "outcomes" and type(case["expect"]) is list:
        return {entry["position"]: Fraction(str(entry["p"])) for entry in case["expect"]}
    return case["expect"]


def run_case(case):
    """Whether the case passes, and the answer."""
    try:
        got = answer(case)
    except RuleError:
        got = {"error": True}
    return got == expected(case), got


def read_cases(paths):
    return [case for path in paths for case in yaml.safe_load(open(path, encoding="utf-8"))]
