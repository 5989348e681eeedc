"""Which stick a stroke is played with: taken, kept, undone, written down and played again."""

from __future__ import annotations

import io
import sys

import pytest

import sim
from sim.cli.main import main
from sim.game import CommandRefused, Session, read_journal
from sim.game import commands as c
from sim.game.replay import replay_check
from sim.game.setup import Setup
from sim.game.shotfile import practice_commands, shot_file
from sim.model.stroke import STICKS
from sim.shot.files import ShotFile, parse_shot

BALLS = ((0, (0.4, 0.5, 0.028575)), (9, (0.4, 1.5, 0.028575)), (10, (0.9, 2.0, 0.028575)))
STROKE = sim.Stroke(6.0, 1.5, 0.2, 0.1)


def practice(session: Session) -> Session:
    session.send(c.Seat(Setup(practice=True)))
    session.send(c.Arrange(BALLS))
    return session


def played(stick: sim.Stick) -> sim.Result:
    layout = sim.Layout(sim.Table.wpa_9ft(), dict(BALLS))
    return sim.simulate(layout, STROKE, stick=stick)


@pytest.mark.parametrize("name", STICKS)
def test_the_stroke_is_played_with_the_stick_taken(name: str, tmp_path) -> None:
    """In practice it is kept for the strokes that follow; the file plays again to the same bits."""
    path = tmp_path / "m.tenball"
    with practice(Session.create(path)) as session:
        session.send(c.TakeStick(STICKS[name]))
        session.send(c.Shoot(STROKE))
        assert session.result.final == played(STICKS[name]).final
        assert session.match.log[-1].stick == session.match.stick == STICKS[name]
        session.send(c.TakeStick(sim.Stick(mass=0.3)))
        session.send(c.Repeat())
        assert session.match.stick == STICKS[name]
    match = read_journal(path).game.now
    assert match == session.match
    assert replay_check(match) == ()
    assert len({played(stick).final for stick in STICKS.values()}) == 3


def test_in_a_match_the_playing_stick_comes_back_after_the_stroke() -> None:
    session = Session()
    session.send(c.Seat(Setup(lag=False)))
    with pytest.raises(CommandRefused, match="expected a rack"):
        session.send(c.TakeStick(sim.BREAK_STICK))
    session.send(c.ChooseBreaker("A"))
    session.send(c.TakeStick(sim.JUMP_STICK))
    session.send(c.TakeStick(sim.BREAK_STICK))
    assert session.match.stick == sim.BREAK_STICK
    session.send(c.Shoot(STROKE))
    assert session.match.log[-1].stick == sim.BREAK_STICK
    assert session.match.stick == sim.PLAYING_STICK
    session.send(c.Undo(2))  # the stroke, and both changes as one
    assert session.match.stick == sim.PLAYING_STICK
    session.send(c.Redo(1))
    assert session.match.stick == sim.BREAK_STICK


@pytest.mark.parametrize("stick", [*STICKS.values(), sim.Stick(mass=0.4, e_tip=0.7), None])
def test_practice_of_a_shot_file_has_its_stick(stick: sim.Stick | None) -> None:
    """Found in use: `tenball break` prints a break stick, and practice played another."""
    layout = sim.Layout(sim.Table.wpa_9ft(), dict(BALLS))
    shot = parse_shot(ShotFile(layout=layout, stroke=STROKE, stick=stick).text())
    session = Session()
    for command in practice_commands(shot):
        session.send(command)
    session.send(c.Shoot())
    assert session.result.final == played(stick or sim.PLAYING_STICK).final
    back = shot_file(session.match, 1)
    assert (back.stick or sim.PLAYING_STICK) == (stick or sim.PLAYING_STICK)
    assert parse_shot(back.text()).stroke == STROKE


def test_the_terminal_takes_a_stick(monkeypatch, capsys) -> None:
    words = "stick\nstick broom\nstick jump\nshow\nspeed 3\naim 90\nshoot\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(words))
    assert main(["match", "--practice"]) == 0
    out = capsys.readouterr().out
    assert "! stick: got 'broom', expected playing, break or jump" in out
    assert "  stick jump\n" in out
    assert ", jump stick\n" in out
