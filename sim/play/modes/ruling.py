"""What was ruled: every foul with its article, what was spotted, who shoots next and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rules
from sim.game.effects import Effect, MatchOver, Notice, RackOver
from sim.play.hud import Layer
from sim.play.modes.base import Keys, Mode, words
from sim.play.modes.help import HelpMode
from sim.play.modes.pause import PauseMode
from sim.play.modes.referee import RefereeMode
from sim.play.modes.replay import ReplayMode
from sim.play.modes.wording import by_name, event_words, spoken

if TYPE_CHECKING:
    from sim.play.app import Game

__all__ = ["RulingMode", "event_rows"]

QUIET = frozenset(
    {"slide_to_roll", "roll_to_spin", "roll_to_rest", "spin_to_rest", "takeoff", "land", "bed",
     "hold", "release"}
)  # fmt: skip
EVENTS_SHOWN = 24


def _ball(ball: int) -> str:
    return "cue ball" if ball == 0 else f"the {ball}"


def event_rows(result: Any) -> list[str]:
    """The events a referee would ask about, a line each."""
    rows = []
    for event in result.events:
        if event.kind in QUIET:
            continue
        other = event.other
        what = _ball(other) if isinstance(other, int) else words(other or "")
        rows.append(f"{event.t:7.3f} s   {_ball(event.ball)}   {event_words(event.kind)}   {what}")
    return rows


class RulingMode(Mode):
    """The panel after a shot."""

    def __init__(self, game: Game, effects: tuple[Effect, ...] = ()) -> None:
        super().__init__(game)
        assert game.session is not None
        self.effects = effects
        self.entry = game.session.match.log[-1]
        self.result = game.session.result if self.entry.stroke is not None else None
        self.ruling: Any = self.entry.facts.ruling
        self.listing = False

    def enter(self) -> None:
        super().enter()
        if self.game.camera in ("follow", "player"):
            self.game.use_camera("broadcast")
        match = self._match()
        if match.layout is not None:
            self.game.scene.show_layout(match.layout)

    def _match(self) -> Any:
        assert self.game.session is not None
        return self.game.session.match

    def rows(self) -> list[tuple[str, str]]:
        """(colour, text) of everything that was ruled."""
        ruling, match = self.ruling, self._match()
        rows: list[tuple[str, str]] = []
        told = by_name(match, ruling["explanation"])
        for foul in ruling["fouls"]:
            enforced = " (penalised)" if foul["code"] == ruling["penalised"] else ""
            rows.append(
                ("bad", f"Foul: {spoken(foul['code'])}{enforced}, {foul['article']}: "
                        f"{foul['explanation']}")
            )  # fmt: skip
        if not ruling["fouls"]:
            rows.append(("good", f"No foul. {told} ({ruling['article']})"))
        else:
            rows.append(("text", f"{told} ({ruling['article']})"))
        down = [_ball(b) for b in ruling["pocketed"]]
        if down:
            rows.append(("text", f"Pocketed: {', '.join(down)}."))
        if ruling["off_table"]:
            rows.append(("text", f"Off the table: {', '.join(map(_ball, ruling['off_table']))}."))
        if ruling["spotted"]:
            rows.append(("text", f"Spotted: {', '.join(map(_ball, ruling['spotted']))}."))
        if ruling["rack_winner"]:
            why = spoken(ruling["win_reason"])
            rows.append(
                ("accent", f"{match.side_name(ruling['rack_winner'])} wins the rack: {why}.")
            )
        elif ruling["next"]:
            hand = {
                str(rules.CueBall.POSITION): "the cue ball stays where it is",
                str(rules.CueBall.IN_HAND_ANYWHERE): "cue ball in hand anywhere",
                str(rules.CueBall.IN_HAND_BEHIND_HEAD_STRING): "cue ball behind the head string",
            }.get(str(ruling["cue_ball"]), "")
            push = "; a push-out is allowed" if ruling["push_out_next"] is True else ""
            rows.append(("accent", f"{match.side_name(ruling['next'])} shoots next, {hand}{push}."))
        for effect in self.effects:
            if isinstance(effect, Notice):
                rows.append(("accent", effect.text))
            elif isinstance(effect, RackOver | MatchOver) and not ruling["rack_winner"]:
                what = "rack" if isinstance(effect, RackOver) else "match"
                rows.append(("accent", f"{match.side_name(effect.winner)} wins the {what}."))
        return rows

    def title(self) -> str:
        """What matters most."""
        match = self._match()
        if match.winner is not None:
            return f"{match.side_name(match.winner)} wins the match"
        if self.ruling["rack_winner"]:
            return f"{match.side_name(self.ruling['rack_winner'])} wins the rack"
        return "Foul" if self.ruling["fouls"] else "Ruling"

    def build(self, layer: Layer) -> None:
        a = layer.hud.aspect
        left, right = -a + 0.04, -a + 1.36
        panel_top, z = 0.80, 0.70
        lines = []
        for k, (colour, text) in enumerate(self.rows()):
            made = layer.line(
                f"ruling {k}", text, left + 0.05, z - 0.09, 0.034, colour=colour,
                wrap=right - left - 0.10,
            )  # fmt: skip
            lines.append(made)
            z -= made.height + 0.022
        bottom = z - 0.22
        head = layer.line("title", self.title(), left + 0.05, panel_top - 0.085, 0.050,
                          font="Bold", fit=right - left - 0.10)  # fmt: skip
        panel = layer.panel(left, right, bottom, panel_top)
        for node in (head, *lines):
            node.node.reparent_to(layer.root)  # over the panel, which is drawn in order
        del panel
        z = bottom + 0.065
        layer.button("next", "Go on", left + 0.20, z, self.go_on, width=0.32, chosen=True)
        layer.button("replay", "Replay", left + 0.52, z, self.replay, width=0.28)
        layer.button("events", "Events", left + 0.82, z, self.events, width=0.28)
        layer.button("referee", "Referee", left + 1.12, z, self.referee, width=0.28)
        if self.listing and self.result is not None:
            self._list(layer, a)

    def _list(self, layer: Layer, a: float) -> None:
        rows = event_rows(self.result)
        more = len(rows) - 2 * EVENTS_SHOWN
        layer.panel(a - 1.35, a - 0.04, -0.86, 0.80)
        layer.line("events title", f"Events ({len(rows)})", a - 1.30, 0.71, 0.042, font="SemiBold")
        for k, text in enumerate(rows[: 2 * EVENTS_SHOWN]):
            column, row = divmod(k, EVENTS_SHOWN)
            layer.line(
                f"event {k}", text, a - 1.30 + 0.63 * column, 0.64 - 0.058 * row, 0.030, fit=0.61
            )
        if more > 0:
            layer.line("more", f"and {more} more: tenball replay --text", a - 1.30, -0.80, 0.028)

    def keys(self) -> Keys:
        return {
            "next": self.go_on,
            "accept": self.go_on,
            "replay": self.replay,
            "events": self.events,
            "referee": self.referee,
            "help": lambda: HelpMode(self.game, self),
            "menu": lambda: PauseMode(self.game, self),
        }

    def line(self) -> str:
        return f"Anybody: read the ruling, {self.key('next')} goes on. {self._prompt()}"

    def _prompt(self) -> str:
        assert self.game.session is not None
        return self.game.session.prompt.text

    # --- what the buttons do ----------------------------------------------------------------------

    def go_on(self) -> Mode:
        """To whatever the match waits for."""
        return self.game.next_mode()

    def replay(self) -> Mode:
        """See it again."""
        return ReplayMode(self.game, self)

    def referee(self) -> Mode:
        """Declare what the engine cannot see."""
        return RefereeMode(self.game, self)

    def events(self) -> None:
        """Open or close the list of events."""
        if self.result is None:
            self.game.notice("Events: nothing was played just now; replay shows them.")
            return
        self.listing = not self.listing
        self.rebuild()
