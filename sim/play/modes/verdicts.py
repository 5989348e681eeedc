"""Practice: what each of the three rulesets would have ruled on the last shot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import rules
from sim.game.replay import verdicts
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode
from sim.play.modes.wording import by_name, rules_name, spoken

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["VerdictsMode"]


class VerdictsMode(Mode):
    """Three columns."""

    says: ClassVar[dict[str, str]] = {"menu": "back", "accept": "back", "verdicts": "back"}

    def __init__(self, game: Game, back: Mode) -> None:
        super().__init__(game)
        self.back = back

    def columns(self) -> dict[str, str]:
        """{ruleset: what it rules}; empty before the first shot that is ruled."""
        assert self.game.session is not None
        match = self.game.session.match
        if not match.log or match.log[-1].rack is None:
            return {}
        found: dict[str, Any] = verdicts(match.log[-1])
        return {
            name: by_name(match, _text(found[name])) for name in rules.RULESETS if name in found
        }

    def build(self, layer: Layer) -> None:
        columns = self.columns()
        half, top = 1.50, 0.60
        layer.panel(-half, half, -0.60, top)
        layer.line("title", "The last shot under each ruleset", -half + 0.07, top - 0.10, 0.052,
                   font="Bold")  # fmt: skip
        if not columns:
            layer.line("none", "No ruled shot has been played yet.", -half + 0.07, top - 0.22)
        for k, (name, text) in enumerate(columns.items()):
            x = -half + 0.07 + k * (2 * half - 0.08) / 3
            layer.line(f"name {name}", rules_name(name), x, top - 0.21, 0.040,
                       font="SemiBold", colour="accent")  # fmt: skip
            layer.line(f"text {name}", text, x, top - 0.29, 0.034, wrap=0.90)
        layer.button("back", "Back", half - 0.26, -0.52, lambda: self.back, width=0.40)

    def keys(self) -> Keys:
        return {"menu": lambda: self.back, "verdicts": lambda: self.back,
                "accept": lambda: self.back}  # fmt: skip

    def line(self) -> str:
        back = self.key("menu")
        return f"Anybody: what each ruleset would have ruled on the last shot; {back} goes back."


def _text(found: Any) -> str:
    if isinstance(found, str):
        return found
    data = found if isinstance(found, dict) else found.as_dict()
    lines = [f"{spoken(f['code'])} ({f['article']})" for f in data["fouls"]] or ["no foul"]
    if data["spotted"]:
        lines.append("spotted: " + ", ".join(map(str, data["spotted"])))
    lines.append(str(data["explanation"]))
    return "\n".join(lines)
