"""The rulebook, the README's table and the package agree with each other."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import rules
import rules.fouls
from rules.ruleset import SWITCHES

ROOT = Path(rules.__file__).parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TESTS = Path(__file__).parent


def section(name: str) -> str:
    """The README's table for one ruleset."""
    return README.partition(f"### `{name}`")[2].partition("\n##")[0]


@pytest.mark.parametrize("name", rules.RULESETS)
def test_every_article_stands_in_the_readme(name: str) -> None:
    """Each article of each text, in its own numbering, in order."""
    rows = re.findall(r"^\| ([\w.-]+) \|", section(name), re.MULTILINE)
    numbers = [article.number for article in rules.ruleset(name).book.articles]
    assert [row for row in rows if row not in ("Article",)] == numbers
    assert len(set(numbers)) == len(numbers)


def test_the_chapters_of_the_texts_are_complete() -> None:
    """LBM 4-1 to 4-10; 9.1 to 9.12 and the 6.x that each WPA text lists."""
    lbm = {article.number for article in rules.LBM.book.articles}
    assert {f"4-{chapter}" for chapter in range(1, 11)} <= lbm
    assert {"4-2a", "4-2e", "4-3.4", "4-4.1d", "4-4.3", "4-5.1c", "4-5.3", "4-7.1b", "4-7.2"} <= lbm
    sixes = {f"6.{number}" for number in (*range(1, 11), *range(12, 17))}
    nines = {f"9.{number}" for number in range(1, 13)}
    assert sixes | nines <= {article.number for article in rules.WPA_2009.book.articles}
    assert sixes | nines | {"6.17"} <= {article.number for article in rules.THE_TEN.book.articles}
    assert rules.WPA_2009.book.article("6.17") is None


def test_functions_and_tests_of_the_readme_exist() -> None:
    """Each `module.function` and each `test_file.test_function` of the tables."""
    cells = set(re.findall(r"`((?:[a-z]\w*)(?:\.\w+)+)`", README)) - {"ruleset.variation"}
    assert len(cells) > 60
    for cell in cells:
        module, *names = cell.split(".")
        if module.startswith("test_"):
            text = (TESTS / f"{module}.py").read_text(encoding="utf-8")
            assert f"def {names[0]}(" in text, cell
            continue
        found: object = importlib.import_module(f"rules.{module}")
        for name in names:
            found = getattr(found, name)


def test_switches_of_the_readme_exist() -> None:
    """Each switch named in the table of interpretations is a field."""
    table = README.partition("## What rests on interpretation")[2]
    named = set(re.findall(r"`(\w+_\w+)`", table)) - {"wpa09"}
    assert len(named) > 10
    assert named <= set(SWITCHES)


def test_every_foul_has_one_row_and_an_article_in_each_ruleset() -> None:
    """One foul, one predicate, one article."""
    rows = [rule.code for rule in rules.fouls.FOULS]
    assert sorted(rows) == sorted(rules.FoulCode)
    assert len({rule.predicate for rule in rules.fouls.FOULS}) == len(rows)
    for ruleset in rules.RULESETS.values():
        numbers = {article.number for article in ruleset.book.articles}
        for code in rows:
            for on_break in (False, True):
                assert ruleset.cite(code, on_break=on_break) in numbers


def test_every_citation_is_an_article() -> None:
    """No ruling can cite what the text does not have."""
    for ruleset in rules.RULESETS.values():
        book = ruleset.book
        for number in {*book.citations.values(), *book.on_break.values()}:
            assert book.article(number) is not None, number


def test_examples_in_the_documents() -> None:
    """The README and the package's docstring run as written."""
    for failed, run in (
        doctest.testfile(str(ROOT / "README.md"), module_relative=False),
        doctest.testmod(rules),
    ):
        assert run > 0
        assert failed == 0


def test_a_ruleset_by_name() -> None:
    """Three names, and any other is refused in one line."""
    assert rules.ruleset("ten") is rules.THE_TEN
    with pytest.raises(rules.RulesError, match="got 'bca', expected one of lbm, wpa09, ten"):
        rules.ruleset("bca")
    with pytest.raises(rules.RulesError, match="got 'bca'"):
        rules.Ruleset(name="bca")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("luck", True),
        ("name", "lbm"),
        ("early_ten_wins", "yes"),
        ("break_cushions", 0),
        ("break_cushions", True),
        ("fouls_to_lose", 4),
        ("drop_grace_s", -1.0),
        ("drop_grace_s", float("nan")),
        ("break_order", "coin"),
        ("rear_corner_balls", [11]),
        ("rear_corner_balls", 2),
        ("unsportsmanlike_penalties", []),
        ("unsportsmanlike_penalties", ["death"]),
    ],
)
def test_bad_variations(field: str, value: object) -> None:
    """A field that does not exist, or a value of the wrong kind, is refused."""
    with pytest.raises(rules.RulesError, match="got"):
        rules.LBM.variation(**{field: value})


def test_values_are_frozen_and_hashable() -> None:
    """States can be kept, compared and used as keys."""
    state = rules.new_rack(rules.LBM)
    assert hash(state) == hash(rules.new_rack(rules.LBM))
    with pytest.raises(AttributeError):
        state.shooter = "B"  # type: ignore[misc] # the point is that it cannot be set


@pytest.mark.parametrize("name", rules.RULESETS)
def test_a_variation_in_one_word_is_read_back(name: str) -> None:
    """`str` and `ruleset` are inverse, whatever the kinds of the values."""
    plain = rules.RULESETS[name]
    assert str(plain) == name
    law = plain.variation(
        rear_corner_balls=[4, 5],
        drop_grace_s=2.5,
        fouls_to_lose=2,
        break_order="loser",
        unsportsmanlike_penalties=["loss_of_rack"],
        shot_clock=True,
    )
    text = str(law)
    assert text.startswith(f"{name}{{rear_corner_balls=4+5;")
    assert " " not in text
    assert rules.ruleset(text) == law
    assert dict(law.switches())["break_order"] == "loser"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("wpa09{}", "got '', expected a switch such as"),
        ("wpa09{shot_clock}", "got 'shot_clock', expected a switch such as"),
        ("wpa09{name=ten}", "switch: got 'name'"),
        ("wpa09{shot_clok=true}", "perhaps shot_clock"),
        ("wpa09{shot_clock=yes}", "shot_clock: got 'yes', expected true or false"),
        ("wpa09{shot_clock=true", "expected one of lbm, wpa09, ten"),
    ],
)
def test_a_variation_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(rules.RulesError, match=message):
        rules.ruleset(text)
