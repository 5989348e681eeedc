"""Somebody must decide: an option, the breaker, an acknowledgement, a penalty, the next rack."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import rules
from sim.game import commands as c
from sim.game.prompt import CHOICES
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode, words
from sim.play.modes.help import HelpMode
from sim.play.modes.pause import PauseMode
from sim.play.modes.referee import RefereeMode
from sim.play.modes.ruling import RulingMode
from sim.play.modes.sheet import SheetMode
from sim.play.modes.wording import by_name

if TYPE_CHECKING:
    from sim.game.match import Match
    from sim.play.app import Game

__all__ = ["ChoiceMode"]


class ChoiceMode(Mode):
    """A dialog that says who decides, what, and why."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        assert game.session is not None
        self.prompt = game.session.prompt

    def _match(self) -> Match:
        assert self.game.session is not None
        return self.game.session.match

    def enter(self) -> None:
        super().enter()
        match = self._match()
        if match.layout is not None:
            self.game.show_table(match.layout.table, match.layout.ball_radius)
            self.game.scene.show_layout(match.layout)
        self.game.scene.hide_stick()
        self.game.use_camera("broadcast")

    def answers(self) -> list[tuple[str, str, c.Command]]:
        """(name, text, command) of each answer."""
        match, need = self._match(), self.prompt.need
        if need == "breaker":
            return [
                (f"breaker {s}", f"{match.side_name(s)} breaks", c.ChooseBreaker(s))
                for s in rules.SIDES
            ]
        if need == "acknowledgement":
            return [
                ("yes", "Acknowledge the push-out", c.Acknowledge(True)),
                ("no", "Refuse: it is an ordinary shot", c.Acknowledge(False)),
            ]
        if need == "penalty":
            return [
                (name, words(name).capitalize(), c.Penalise(rules.Penalty(name)))
                for name in self.prompt.options
            ]
        if need == "choice":
            side = self.prompt.side
            assert side is not None
            return [
                (name, CHOICES[rules.Choice(name)].capitalize(), c.Choose(side, name))
                for name in self.prompt.options
            ]
        return [("next_rack", "Rack the balls", c.NextRack())]

    def likely(self) -> str:
        """The answer that is shown as the usual one; "" where it is a decision."""
        winner = self._match().lag_winner
        if self.prompt.need == "breaker":
            return "" if winner is None else f"breaker {winner}"
        return "next_rack"

    def reason(self) -> str:
        """Why it is asked."""
        rack = self._match().rack
        if self.prompt.need == "choice" and rack is not None and rack.decision is not None:
            reason = by_name(self._match(), rack.decision.reason)
            return f"{reason[:1].upper()}{reason[1:]} ({rack.decision.article})."
        if self.prompt.need == "breaker" and self._match().lag_winner is not None:
            return "The winner of the lag chooses."
        return ""

    def build(self, layer: Layer) -> None:
        answers = self.answers()
        half, top = 0.78, 0.42
        title = {
            "choice": "Decision", "breaker": "Who breaks?", "penalty": "Penalty",
            "acknowledgement": "Push-out", "next_rack": "Rack over",
        }[self.prompt.need]  # fmt: skip
        bottom = top - 0.50 - 0.10 * len(answers)
        layer.panel(-half, half, bottom, top)
        layer.line("title", title, -half + 0.07, top - 0.10, 0.056, font="Bold")
        text = layer.line(
            "text", self.prompt.text, -half + 0.07, top - 0.19, 0.038, wrap=2 * half - 0.14
        )
        layer.line(
            "reason", self.reason(), -half + 0.07, top - 0.21 - text.height, 0.032,
            colour="dim", wrap=2 * half - 0.14,
        )  # fmt: skip
        for k, (name, label, command) in enumerate(answers):
            z = bottom + 0.08 + 0.10 * (len(answers) - 1 - k)
            layer.button(
                name, label, 0, z, partial(self.answer, command), width=2 * half - 0.2,
                height=0.082, chosen=name == self.likely(),
            )  # fmt: skip

    def keys(self) -> Keys:
        keys: Keys = {}
        if self.prompt.need == "next_rack":
            keys["accept"] = lambda: self.answer(c.NextRack())
            keys["sheet"] = lambda: SheetMode(self.game, self)
        keys["referee"] = lambda: RefereeMode(self.game, self)
        keys["camera"] = self.game.next_camera
        keys["help"] = lambda: HelpMode(self.game, self)
        keys["menu"] = lambda: PauseMode(self.game, self)
        return keys

    def line(self) -> str:
        return f"{self.prompt.text} Click the answer."

    def answer(self, command: c.Command) -> Mode:
        """Send the answer."""
        before = len(self._match().log)
        effects = self.game.send(command)
        if len(self._match().log) > before or isinstance(command, c.Penalise):
            return RulingMode(self.game, effects)
        return self.game.next_mode()
