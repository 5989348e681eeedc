"""The demonstration: what it prints can be judged again, what it printed is never lost."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from dataclasses import replace

import pytest

import rules
from rules.notation import format_state, parse_declaration, parse_record, parse_state
from sim.cli.main import main
from sim.cli.match import _demo_setup as demo_setup
from sim.cli.match import demo_defaults, open_session, play_demo
from sim.game import Session, read_journal, replay_check, rulings_check
from sim.game.session import engine
from sim.shot.files import load_shot

SEED = 4
SHOTS = 5
OPTIONS = {"seed": SEED, "ruleset": "ten", "race_to": 1}


def demonstrate(path, shots=None):
    """Play the demonstration into a file, to its end or until so many shots are in it."""
    text = []
    with open_session(str(path)) as session:
        for block in play_demo(session, demo_setup(demo_defaults(**OPTIONS))):
            text += block
            if shots is not None and len(session.match.log) >= shots:
                break
    return text


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """(file, printed lines) of a demonstration broken off after some shots."""
    path = tmp_path_factory.mktemp("demo") / "m.tenball"
    return path, demonstrate(path, SHOTS)


def test_every_printed_ruling_follows_from_its_printed_record(begun):
    """State, declaration and record as printed give the state and the fouls as printed."""
    _, lines = begun
    text = "\n".join(lines)
    blocks = re.findall(
        r"declaration: (.*)\n  before:      (.*)\n(?:.*\n)*?  record:      (.*)\n  ruling:\n"
        r"((?:    .*\n)+)  state:       (.*)",
        text,
    )
    assert len(blocks) == SHOTS
    for declaration, before, record, ruling, state in blocks:
        again = rules.adjudicate(
            parse_state(before), parse_declaration(declaration), parse_record(record)
        )
        assert format_state(again.state) == state
        assert re.findall(r"    (\w+) by [AB], article", ruling) == [
            str(f.code) for f in again.fouls
        ]
        assert again.article in ruling


def test_broken_off_and_continued_it_is_the_same_match(begun, tmp_path):
    """The file of a match broken off after each shot equals that of one played through."""
    path = tmp_path / "m.tenball"
    for shots in range(1, SHOTS + 1):
        demonstrate(path, shots)
    assert path.read_bytes() == begun[0].read_bytes()


def test_shown_again(begun, capsys):
    """Text, sheet and CSV come from the file alone."""
    path = str(begun[0])
    assert main(["replay", path, "--text"]) == 0
    shown = capsys.readouterr().out
    printed = "\n".join(begun[1])
    for line in shown.splitlines():
        assert line in printed
    assert shown.count("  record:") == SHOTS
    assert main(["sheet", path]) == 0
    assert "race to 1" in capsys.readouterr().out
    assert main(["sheet", path, "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == SHOTS + 1
    assert main(["replay", path, "--text", "--shot", "99"]) == 2
    capsys.readouterr()
    assert main(["replay", path, "--check"]) == 0
    assert f"{SHOTS} shots played again, 0 differ" in capsys.readouterr().out


def test_a_shot_out_of_the_match_and_back(begun, tmp_path, capsys):
    """Exported, the shot plays the same under `tenball shot` and in practice."""
    match = read_journal(begun[0]).game.now
    out = tmp_path / "shot.json"
    assert main(["export", str(begun[0]), "--shot", "2", "--out", str(out)]) == 0
    assert main(["export", str(begun[0]), "--shot", "2", "--out", str(out)]) == 2
    assert main(["export", str(begun[0]), "--shot", "77"]) == 2
    entry = match.log[1]
    shot = load_shot(out)
    assert shot.stroke == entry.stroke
    assert shot.layout == entry.layout
    capsys.readouterr()
    assert main(["shot", str(out)]) == 0
    from rules.notation import format_record

    assert format_record(entry.facts.record) in capsys.readouterr().out


def test_the_same_engine_differs_in_nothing_and_an_altered_one_is_reported(begun):
    """The stored truth stands: differences are reported, never adopted."""
    match = read_journal(begun[0]).game.now
    assert rulings_check(match) == ()
    assert replay_check(match) == ()

    def altered(question):
        slower = replace(question.setup.materials, mu_roll=0.0101)
        return engine(replace(question, setup=replace(question.setup, materials=slower)))

    differences = replay_check(match, altered)
    # A shot after which no ball lies elsewhere can be the same; here one ends with a scratch.
    rolled = {e.number for e in match.log if 0 in dict(e.facts.final)}
    assert {d.shot for d in differences} >= rolled
    assert len(rolled) >= SHOTS - 1
    assert all("\n" not in str(d) for d in differences)
    assert read_journal(begun[0]).game.now == match


def kill_and_continue(folder, seed, most=120):
    """Kill -9 a demonstration at a random moment; (printed, file)."""
    path = folder / f"killed-{seed}.tenball"
    rng = random.Random(seed)
    command = [sys.executable, "-m", "sim.cli.main", "demo", "--seed", str(SEED), "--ruleset",
               "ten", "--journal", str(path)]  # fmt: skip
    printed = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(rng.randrange(5, most)):
            line = process.stdout.readline()
            if not line:
                break
            printed.append(line.rstrip("\n"))
        process.kill()
    return printed, path


def assert_nothing_lost(printed, path, begun):
    """Every printed shot is in the file, which continues to the file of an unbroken match."""
    seen = max(
        [int(m[1]) for m in (re.match(r"shot (\d+):", line) for line in printed) if m] or [0]
    )
    text = read_journal(path)
    assert len(text.game.now.log) >= seen
    whole = begun[0].read_bytes().splitlines()
    kept = text.good.splitlines()
    common = min(len(whole), len(kept))
    assert kept[:common] == whole[:common]
    return text


def test_killed_it_loses_nothing(begun, tmp_path):
    """kill -9 at a random moment of the beginning; the file goes on as it would have."""
    printed, path = kill_and_continue(tmp_path, 2)
    text = assert_nothing_lost(printed, path, begun)
    shots = max(len(text.game.now.log), SHOTS)
    demonstrate(path, shots)
    assert_nothing_lost([], path, begun)


@pytest.mark.soak
def test_killed_at_twenty_moments_it_ends_the_same(tmp_path):
    """Issue 6: 20 kills; each continued match ends byte for byte as the unbroken one."""
    unbroken = tmp_path / "unbroken.tenball"
    demonstrate(unbroken)
    for seed in range(20):
        printed, path = kill_and_continue(tmp_path, seed, 500)
        assert_nothing_lost(printed, path, (unbroken, None))
        demonstrate(path)
        assert path.read_bytes() == unbroken.read_bytes()


def test_bad_options(tmp_path, capsys):
    """One line, exit status 2, nothing written."""
    path = tmp_path / "m.tenball"
    for words in (
        ["--strength", "1.5"],
        ["--ruleset", "nine"],
        ["--race-to", "0"],
        ["--events", "many"],
        ["--table", "snooker"],
    ):
        assert main(["demo", *words, "--journal", str(path)]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "expected" in error
    assert not list(tmp_path.iterdir())


def typed(monkeypatch, capsys, script, *words):
    """What `tenball match` prints when this is typed."""
    monkeypatch.setattr("sys.stdin", io.StringIO(script))
    assert main(["match", *words]) == 0
    return capsys.readouterr().out


def test_hot_seat(tmp_path, capsys, monkeypatch):
    """A break, a push-out and a refusal, typed; all of it in the file."""
    path = tmp_path / "m.tenball"
    script = (
        "breaker A\nshow\nplace 0.6 0.5\naim 90\nspeed 9\nshoot\nfly\ncall 1\nundo 99\n"
        f"picture {tmp_path / 'p.svg'}\nfoul no_foot_on_floor A last\nsheet\nquit\n"
    )
    words = ["--names", "Ann,Al", "Bob", "--ruleset", "lbm", "--no-lag", "--race-to", "2"]
    out = typed(monkeypatch, capsys, script, *words, "--journal", str(path))
    assert "> Ann breaks" in out
    assert "'fly': got no word" in out
    assert "! 'call 1'" in out
    assert "undo: got 99 steps" in out
    assert "no_foot_on_floor by A" in out
    assert (tmp_path / "p.svg").read_text().startswith("<svg")
    with Session.resume(path) as session:
        assert session.match.log[-1].facts.fouls[-1] == "no_foot_on_floor"
        assert session.match.shooter == "B"


def test_hot_seat_says_the_words_that_answer(capsys, monkeypatch):
    """What is asked stands with the words to type; a wrong word is told from those that fit."""
    script = (
        "pot 1 foot_left\nlag 2 2.05\nbreaker A\npot 1 left_foot\npot 9 side_left\n"
        "foul banana A\nfoul scratch A\naim 90\nspeed 9\nshoot\npush\nspeed 0.4\nshoot\n"
    )
    out = typed(monkeypatch, capsys, script, "--names", "Ann", "Bob")
    assert "to the foot cushion and back. [lag SPEED SPEED]" in out
    assert "Ann: choose who breaks first. [breaker A | breaker B]" in out
    assert "! pot: got no straight way for the 1 to foot_left" in out
    assert "! pot: got 'left_foot', expected head_left, head_right, side_left," in out
    assert "! pot: got no straight way for the 9 to side_left" in out
    for word in ("banana", "scratch"):
        assert f"! foul: got '{word}', expected no_foot_on_floor, touched_ball," in out
    assert "play on or hand back (9.4). [accept | hand_back]" in out


def test_what_is_taken_back_is_said_and_the_stroke_goes_back_with_it(capsys, monkeypatch):
    script = "breaker A\nspeed 7\nspeed 9\nundo\ntip 0 0.1\nshow\nlag 2 2\nundo 2\nredo 2\nundo 9\n"
    out = typed(monkeypatch, capsys, script, "--no-lag")
    assert "taken back: aim\n" in out
    # A run of aims is one step, and 2 m/s is what a match begins with.
    assert "aim 90.000 deg, 2 m/s, tip 0 0.1\n" in out
    assert "! lag: got one during a rack, expected it only at the start\n" in out
    assert "taken back: aim, choose breaker\n" in out
    assert "done again: choose breaker, aim\n" in out
    assert "! undo: got 9 steps, expected 1 to 3\n" in out


def test_an_endless_line_does_not_end_the_match(capsys, monkeypatch):
    """Found by typing at random: a match that is in no file was lost with it."""
    script = (
        "breaker A\n" + "9" * 25_000 + "\n" + "speed " * 3000 + "\nspeed 7\nshow\n" + "8" * 30_000
    )
    out = typed(monkeypatch, capsys, script, "--no-lag")
    assert out.count("! input: got a line of more than 10000 letters, expected less\n") == 3
    assert "aim 90.000 deg, 7 m/s" in out
