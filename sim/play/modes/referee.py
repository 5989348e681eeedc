"""The referee's buttons: what the engine cannot see, declared by the players."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import rules
from rules.terms import INFRACTION_CODES
from sim.game import commands as c
from sim.model.balls import CUE_BALL
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.wording import spoken

if TYPE_CHECKING:
    from sim.game.match import Match
    from sim.play.app import Game

__all__ = ["RefereeMode"]


class RefereeMode(Mode):
    """What happened, by whom, on which shot; then Declare. The rules say what follows."""

    says: ClassVar[dict[str, str]] = {"menu": "back", "referee": "back", "accept": "declare"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        self.back = back
        self.code = rules.FoulCode.TOUCHED_BALL
        match = self._match()
        self.on = "last" if match.before_last is not None else "now"
        self.side: rules.Side = match.log[-1].side if self.on == "last" else match.shooter or "A"
        self.ball: int | None = None

    def _match(self) -> Match:
        assert self.game.session is not None
        return self.game.session.match

    def build(self, layer: Layer) -> None:
        half, top = 1.45, 0.80
        layer.panel(-half, half, -0.80, top)
        layer.line("title", "Referee", -half + 0.07, top - 0.10, 0.056, font="Bold")
        layer.line(
            "about", "Declare what a simulator cannot see; the rules adjudicate.",
            -half + 0.07, top - 0.165, 0.032, colour="dim",
        )  # fmt: skip
        codes = sorted(INFRACTION_CODES, key=list(rules.FoulCode).index)
        for k, code in enumerate(codes):
            layer.button(
                f"code {code}", spoken(code).capitalize(), -half + 0.42, top - 0.25 - 0.083 * k,
                partial(self.take, code=code), width=0.70, height=0.072, size=0.032,
                chosen=code == self.code,
            )  # fmt: skip
        self._who(layer, -half + 0.90, top - 0.25)
        self._others(layer, half - 0.40, top - 0.25)
        layer.button(
            "declare", "Declare", -half + 1.33, -0.70, self.declare, chosen=True, width=0.60
        )
        layer.button("back", "Back", half - 0.40, -0.70, self.done, width=0.64)

    def _who(self, layer: Layer, x: float, top: float) -> None:
        match = self._match()
        layer.line("by", "By whom", x, top - 0.012, 0.034, colour="dim")
        for k, side in enumerate(rules.SIDES):
            layer.button(
                f"side {side}", match.side_name(side), x + 0.43, top - 0.09 - 0.083 * k,
                partial(self.take, side=side), width=0.86, height=0.072,
                chosen=side == self.side,
            )  # fmt: skip
        layer.line("on", "When", x, top - 0.30, 0.034, colour="dim")
        for k, (on, text) in enumerate(
            (("last", "On the last shot"), ("now", "Now, before the stroke"))
        ):
            layer.button(
                f"on {on}", text, x + 0.43, top - 0.37 - 0.083 * k,
                partial(self.take, on=on), width=0.86, height=0.072, chosen=on == self.on,
            )  # fmt: skip
        if self.code is rules.FoulCode.TOUCHED_BALL:
            layer.line("ball", "Which ball", x, top - 0.58, 0.034, colour="dim")
            balls = () if match.layout is None else match.layout.balls
            for k, ball in enumerate(balls):
                layer.button(
                    f"ball {ball}", "cue" if ball == CUE_BALL else str(ball),
                    x + 0.06 + 0.13 * (k % 6), top - 0.65 - 0.085 * (k // 6),
                    partial(self.take, ball=ball), width=0.12, height=0.072,
                    chosen=ball == self.ball,
                )  # fmt: skip

    def others(self) -> list[tuple[str, str, c.Command]]:
        """(name, text, command) of what else may be done now."""
        assert self.game.session is not None
        match, may = self._match(), self.game.session.prompt.may
        found: list[tuple[str, str, c.Command]] = []
        if "AskCall" in may:
            asks = match.side_name(rules.other_side(match.shooter or "A"))
            found.append(("ask", f"{asks} asks for the call", c.AskCall()))
        if "AnnounceStalemate" in may:
            found.append(("stalemate", "The referee announces a stalemate", c.AnnounceStalemate()))
            for side in rules.SIDES:
                if side not in match.agreed:
                    name = match.side_name(side)
                    found.append(
                        (f"agree {side}", f"{name} agrees to a stalemate", c.AgreeStalemate(side))
                    )
        if "ExtendClock" in may:
            found.append(("extend", "Extension of the shot clock", c.ExtendClock()))
        if match.race is not None and not (match.setup is not None and match.setup.practice):
            for side in rules.SIDES:
                name = match.side_name(side)
                if "Concede" in may:
                    found.append((f"concede {side}", f"{name} concedes the rack", c.Concede(side)))
                found.append(
                    (f"resign {side}", f"{name} concedes the match", c.Concede(side, "match"))
                )
        return found

    def _others(self, layer: Layer, x: float, top: float) -> None:
        for k, (name, text, command) in enumerate(self.others()):
            layer.button(
                name, text, x, top - 0.083 * k, partial(self.send, command), width=0.72,
                height=0.072, size=0.028,
            )  # fmt: skip

    def keys(self) -> Keys:
        return {"accept": self.declare, "menu": self.done, "referee": self.done}

    def line(self) -> str:
        return (
            "Players: click what happened, by whom and when, then Declare "
            f"({self.key('accept')}); {self.key('menu')} goes back."
        )

    # --- what the buttons do ----------------------------------------------------------------------

    def take(self, **chosen: Any) -> None:
        """Choose part of the declaration."""
        for name, value in chosen.items():
            setattr(self, name, value)
        self.rebuild()

    def declare(self) -> Mode:
        """Declare it."""
        ball = self.ball if self.code is rules.FoulCode.TOUCHED_BALL else None
        infraction = rules.Infraction(self.code, self.side, ball)
        on: Literal["last", "now"] = "last" if self.on == "last" else "now"
        return self.send(c.DeclareInfraction(infraction, on))

    def send(self, command: c.Command) -> Mode:
        """Send a command, then show what it brought."""
        return self.game.after(command, self.back)

    def done(self) -> Mode:
        """Back to where it was called."""
        return self.back
