"""The command as such: help, errors in one line, exit statuses, the wait to compile."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rules
import sim
from rules.ruleset import SWITCHES
from sim.cli import main as command
from sim.cli import output
from sim.cli.main import COMMANDS, main
from sim.physics import kernel


def run(*arguments: str) -> int:
    return main(arguments)


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        run("--help")
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    for commands in COMMANDS.values():
        for name in commands:
            assert re.search(rf"^    {name}\b", text, re.MULTILINE)


@pytest.mark.parametrize("name", [name for commands in COMMANDS.values() for name in commands])
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        run(name, "--help")
    assert stopped.value.code == 0
    assert f"usage: tenball {name}" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        run("--version")
    assert capsys.readouterr().out == f"tenball {sim.__version__}\n"


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line on standard error of a command that is refused with status 2."""
    try:
        status = run(*arguments)
    except SystemExit as stopped:
        status = stopped.code
    captured = capsys.readouterr()
    assert status == 2
    assert captured.out == ""
    assert captured.err.startswith("tenball: ")
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["brake"], ["got 'brake'", "did you mean break?"]),
        (
            ["break", "--spede", "3"],
            ["got '--spede', which is no option here", "tenball break --help"],
        ),
        (["break", "--speed", "fast"], ["--speed: got 'fast', expected a number"]),
        (["break", "--speed", "nan"], ["speed (m/s): got nan, expected a finite number"]),
        (["break", "--speed", "inf"], ["got inf, expected a finite number"]),
        (["break", "--speed=-1"], ["got -1, expected more than 0 and at most 15"]),
        (["break", "--seed", "1.5"], ["--seed: got '1.5', expected a whole number"]),
        (["break", "--seed=-1"], ["rack seed: got -1"]),
        (["break", "--ruleset", "bca"], ["ruleset: got 'bca', expected one of lbm, wpa09, ten"]),
        (["break", "--table", "snooker"], ["table: got 'snooker'", "wpa_9ft"]),
        (["break", "--order", "random"], ["rack order: got 'random'"]),
        (["break", "--stick", "brake"], ["stick: got 'brake'", "jump"]),
        (["break", "--side", "0.8", "--vertical", "0.6"], ["tip offset: got 1 ball radii"]),
        (["break", "--cue", "0.635", "1.905"], ["balls 0 and 1 overlap", "57.15 mm"]),
        (["break", "--cue", "9", "9"], ["ball 0 at (9, 9) is off the table"]),
        (["break", "--elevation-deg", "120"], ["stroke elevation (radians)"]),
        (["shot", "missing.json"], ["missing.json: No such file or directory"]),
        (["rules", "bca"], ["got 'bca'"]),
        (["rules", "ten", "--switches"], ["got a ruleset and --switches"]),
        (
            ["rules", "--switches", "--diff", "lbm", "ten"],
            ["got --diff and a ruleset or --switches"],
        ),
        (
            ["break", "--ruleset", "wpa09{brek_order=winner}"],
            ["switch: got 'brek_order'", "tenball rules --switches", "perhaps break_order"],
        ),
        (["break", "--ruleset", "wpa09{shot_clock=on}"], ["shot_clock: got 'on', expected true"]),
        (["match", "--set", "shot_clock"], ["got 'shot_clock', expected a switch such as"]),
        (["match", "--set", "clock=true"], ["switch: got 'clock'"]),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_line(
    arguments: list[str],
    parts: list[str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(tmp_path)
    picture = ["--picture", "p.svg"] if arguments[0] in ("break", "shot") else []
    message = refusal(capsys, *arguments, *picture)
    for part in parts:
        assert part in message
    assert list(tmp_path.iterdir()) == []


def replaced(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fails(_: object) -> int:
        raise error

    namespace = type("Namespace", (), {"run": staticmethod(fails)})()
    monkeypatch.setattr(command, "_parse", lambda _: namespace)


def test_errors_of_both_packages_are_caught(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for error in (sim.EngineError("a\nb"), rules.RulesError("a b")):
        replaced(monkeypatch, error)
        assert main([]) == 2
        assert capsys.readouterr().err == "tenball: a b\n"


def test_an_error_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch):
    replaced(monkeypatch, ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        main([])


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    replaced(monkeypatch, KeyboardInterrupt())
    assert main([]) == 130
    assert capsys.readouterr().err == ""


def test_a_reader_that_goes_away_is_no_error():
    program = "import sys\nfrom sim.cli.main import main\nsys.exit(main(['rules', 'wpa09']))"
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


# --- the wait to compile --------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_said_of_a_compiled_engine(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel, "is_cached", lambda: True)
    out = io.StringIO()
    with output.engine_ready(out):
        pass
    assert out.getvalue() == ""


def test_compiling_is_said_once_where_nobody_watches(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel, "is_cached", lambda: False)
    out = io.StringIO()
    with output.engine_ready(out):
        pass
    first, second = out.getvalue().splitlines()
    assert first == "compiling the engine, once on this machine ..."
    assert re.fullmatch(r"compiled the engine in \d+\.\d s", second)


def test_seconds_count_up_on_a_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel, "is_cached", lambda: False)
    monkeypatch.setattr(output, "TICK_S", 0.01)
    out = Terminal()
    with output.engine_ready(out):
        while out.getvalue().count("\r") < 2:
            pass
    shown = out.getvalue()
    # A busy machine may be late with its first tick.
    assert re.search(r"\rcompiling the engine, once on this machine \.\.\. \d+ s", shown)
    assert shown.endswith("\n")
    assert shown.count("\n") == 1


def test_a_failed_first_shot_ends_the_count(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kernel, "is_cached", lambda: False)
    out = Terminal()
    with pytest.raises(sim.EngineError), output.engine_ready(out):
        raise sim.EngineError("x")
    assert out.getvalue().endswith("\n")
    assert "compiled" not in out.getvalue()


def test_every_switch_is_listed_with_its_values(capsys: pytest.CaptureFixture[str]):
    assert run("rules", "--switches") == 0
    lines = capsys.readouterr().out.splitlines()
    assert tuple(lines[::2]) == SWITCHES
    told = dict(zip(lines[::2], lines[1::2], strict=True))
    assert told["early_ten_wins"].endswith("lbm true, wpa09 true, ten false")
    assert told["break_order"].endswith("first rack: alternate")
