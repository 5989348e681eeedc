"""`tenball referee` and `tenball rules`: what they print, their exit status, and bad files."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest

import rules
from sim.cli import referee, rulebook
from sim.cli.yaml_lines import parse_document
from sim.model.errors import FileError

DATA = Path(__file__).parent / "data"


def run(*words: object) -> int:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers()
    referee.add_parser(subparsers)
    rulebook.add_parser(subparsers)
    args = parser.parse_args([str(word) for word in words])
    status: int = args.run(args)
    return status


@pytest.mark.parametrize(
    ("only", "line"),
    [
        ((), "278 passed, 0 failed"),
        (("--ruleset", "lbm"), "88 passed, 0 failed"),
        (("--ruleset", "wpa09"), "95 passed, 0 failed"),
        (("--ruleset", "ten"), "95 passed, 0 failed"),
    ],
)
def test_examples(only: tuple[str, ...], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every example passes under every ruleset; the last line stands alone."""
    assert run("referee", DATA / "cases.yaml", *only) == 0
    assert capsys.readouterr().out.splitlines() == [line]


CASE = """\
meta: {{title: one}}
cases:
- id: ONE
  title: a miss
  type: shot
  rulesets: [ten]
  state:
    on_table: [9, 10]
  events:
  - [cue_contact, 9]
  - {event}
{expected}"""
EXPECTED = "  expected:\n    legal: true\n    next: A\n"


def write(path: Path, event: str = "[cushion, 9, left]", expected: str = EXPECTED) -> Path:
    """A file of one case."""
    path.write_text(CASE.format(event=event, expected=expected), encoding="utf-8")
    return path


def test_a_mismatch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Asked and got, with the line; exit status 1."""
    assert run("referee", write(tmp_path / "one.yaml")) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("ONE [ten]")
    assert out[1].strip() == "line 14: expected.next: asked A, got B"
    assert out[-1] == "0 passed, 1 failed"


def test_a_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A case without expectations prints its ruling and counts neither way."""
    assert run("referee", write(tmp_path / "one.yaml", expected="")) == 0
    out = capsys.readouterr().out
    assert "9.8: No called ball was made, so B shoots" in out
    assert out.endswith("0 passed, 0 failed\n")


def test_a_bad_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The case, the key path and the line; exit status 2; the other cases are still judged."""
    path = write(tmp_path / "one.yaml", "[pocketed, 7, left]", EXPECTED)
    text = path.read_text(encoding="utf-8") + CASE.partition("cases:\n")[2].format(
        event="[cushion, 9, left]", expected="  expected: {legal: true}\n"
    ).replace("ONE", "TWO")
    path.write_text(text, encoding="utf-8")
    assert run("referee", path) == 2
    captured = capsys.readouterr()
    assert "line 11: case ONE: cases[0].events[1][2]: got 'left'" in captured.err
    assert captured.out == "1 passed, 1 failed\n"


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON files are judged too, with lines."""
    case = {
        "id": "J",
        "type": "shot",
        "rulesets": ["lbm"],
        "state": {"on_table": [9, 10]},
        "events": [["cue_contact", 9], ["jumps", 9]],
    }
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"cases": [case]}, indent="\t"), encoding="utf-8")
    assert run("referee", path) == 2
    lines = path.read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "jumps" in text)
    assert f"line {line}: case J: cases[0].events[1][0]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "empty"),
        ("cases: [", "line"),
        ("cases: []\ncases: []\n", "line 2: got the key 'cases' twice"),
        ("a: &a [*a]\n", "grows beyond"),
        ("cases: !!python/object:os.system {}\n", "line 1: got tag"),
        ("[" * 60 + "]" * 60, "nested"),
        ("? [1]\n: 2\n", "line 1: got a key"),
        ("a: 1\n---\na: 2\n", "line 2"),
        (
            "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
            + "".join(
                f"{new}: &{new} [{', '.join(['*' + old] * 10)}]\n"
                for old, new in zip("abcdef", "bcdefg", strict=True)
            ),
            "grows beyond",
        ),
        ("a: \x00", "not allowed"),
    ],
)
def test_bad_yaml(text: str, says: str) -> None:
    """Malformed, doubled, bottomless or dangerous YAML: one line with the place."""
    with pytest.raises(FileError, match=says) as fault:
        parse_document(text, "bad.yaml")
    assert "\n" not in str(fault.value)
    assert str(fault.value).startswith("bad.yaml: ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "line 1"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": NaN}', "finite"),
        ("[" * 60 + "]" * 60, "nested"),
    ],
)
def test_bad_json(text: str, says: str) -> None:
    """The same for JSON."""
    with pytest.raises(FileError, match=says):
        parse_document(text, "bad.json", is_json=True)


def test_numbers_of_yaml_1_2_and_merge_keys() -> None:
    """1e-6 is a number, and a merge key is an ordinary one."""
    document = parse_document("a: &a {x: 1e-6, y: 2}\nb: {<<: *a, y: 3}\n", "x.yaml")
    assert document.data == {"a": {"x": 1e-6, "y": 2}, "b": {"x": 1e-6, "y": 3}}
    assert document.line_of(("b", "y", "deeper")) == 2


def test_files_that_are_not_there(tmp_path: Path) -> None:
    """A missing or binary file is one line."""
    with pytest.raises(FileError, match="No such file"):
        run("referee", tmp_path / "none.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(FileError, match="UTF-8"):
        run("referee", tmp_path / "binary.yaml")


def test_one_shot(capsys: pytest.CaptureFixture[str]) -> None:
    """A shot in its one-line forms."""
    state = "wpa09 B/A 2 1-10 position 0-0 - push_out -"
    assert run("referee", "--state", state, "--call", "push_out", "--record", "0x3") == 0
    out = capsys.readouterr().out
    assert out.startswith("9.4: B pushed out without a foul")
    assert "state wpa09 B/A 3 1-10 position 0-0 - - A?push_out" in out
    start = "lbm A/A 1 1-10 in_hand_behind_head_string 0-0 - - -"
    assert run("referee", "--state", start, "--record", "0x2 2:foot") == 0
    assert "wrong_ball_first (4-3.1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ("referee",),
        ("referee", "--state", "lbm"),
        ("referee", "--state", "lbm", "--record", "-"),
        ("referee", "x.yaml", "--record", "-"),
        ("referee", "x.yaml", "--ruleset", "bca"),
        ("rules", "bca"),
        ("rules", "lbm", "--diff", "lbm", "ten"),
    ],
    ids=repr,
)
def test_bad_words(words: tuple[str, ...]) -> None:
    """One line: what, got, expected."""
    with pytest.raises(rules.RulesError, match="got") as fault:
        run(*words)
    assert "\n" not in str(fault.value)


def test_rules_lists_the_articles(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each article, in the text's own numbering."""
    assert run("rules", "ten") == 0
    out = capsys.readouterr().out
    assert "  6.16  Template:" in out
    assert "  9.12  Stalemate:" in out
    assert run("rules") == 0
    assert "lbm: " in capsys.readouterr().out


def test_rules_diff(capsys: pytest.CaptureFixture[str]) -> None:
    """The differences come from the fields."""
    assert run("rules", "--diff", "lbm", "ten") == 0
    out = capsys.readouterr().out
    assert "a called ten wins before it is the last ball: lbm yes, ten no" in out
    assert out.count("(") == len(rules.differences(rules.LBM, rules.THE_TEN))
    assert run("rules", "--diff", "ten", "ten") == 0
    assert "rule alike" in capsys.readouterr().out


def test_the_commands_are_light() -> None:
    """Neither the law nor its commands load the compiler, the renderer or the laboratory."""
    code = (
        "import sys, sim.cli.referee, sim.cli.rulebook; "
        "heavy = {'numba', 'panda3d', 'direct', 'pandas', 'matplotlib', 'pooltool'}; "
        "sys.exit(', '.join(sorted(heavy & set(sys.modules))) or 0)"
    )
    run_it = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert run_it.returncode == 0, run_it.stderr
    code = (
        "import sys; before = set(sys.modules); import rules, rules.casebook, rules.clock; "
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "sys.exit(', '.join(sorted(new - set(sys.stdlib_module_names) - {'rules'})) or 0)"
    )
    run_it = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert run_it.returncode == 0, run_it.stderr
