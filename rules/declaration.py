"""What the player at the table declares before the stroke: a call, a safety, a push-out."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import DeclarationRefused
from .terms import OBJECT_BALLS, POCKETS, Kind, known


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration as it was made; whether it is available is asked of the state.

    `balls` are the balls named (more than one is refused), `pocket` the pocket named. A call
    counts if it was spoken (`explicit`), given when the opponent asked (`on_request`), or
    `obvious`: proposed by the shooter's side before the stroke, never inferred after it.
    `announced` and `acknowledged` belong to a push-out.

    Raises DeclarationRefused for a ball or pocket that does not exist.
    """

    kind: Kind = Kind.SHOT
    balls: tuple[int, ...] = ()
    pocket: str | None = None
    explicit: bool = False
    obvious: bool = False
    on_request: bool = False
    announced: bool = True
    acknowledged: bool = True

    def __post_init__(self) -> None:
        for ball in self.balls:
            if not known(ball, OBJECT_BALLS):
                raise DeclarationRefused(
                    "unknown_ball", f"called ball: got {ball!r}, expected an object ball 1..10"
                )
        if self.pocket is not None and not known(self.pocket, POCKETS):
            raise DeclarationRefused(
                "unknown_pocket",
                f"called pocket: got {self.pocket!r}, expected one of {', '.join(POCKETS)}",
            )

    @property
    def ball(self) -> int | None:
        """The one ball named, or None when none or several are."""
        return self.balls[0] if len(self.balls) == 1 else None

    @property
    def names_something(self) -> bool:
        """Whether a ball or a pocket is named at all."""
        return bool(self.balls) or self.pocket is not None

    @property
    def counts(self) -> bool:
        """Whether one ball and one pocket are named in a way that counts as a call (1.6)."""
        return (
            len(self.balls) == 1
            and self.pocket is not None
            and (self.explicit or self.obvious or self.on_request)
        )


def call(
    ball: int,
    pocket: str,
    *,
    explicit: bool = True,
    obvious: bool = False,
    on_request: bool = False,
) -> Declaration:
    """A called shot. For a proposal not spoken aloud: ``explicit=False, obvious=True``."""
    return Declaration(Kind.SHOT, (ball,), pocket, explicit, obvious, on_request)


def no_call() -> Declaration:
    """A shot with nothing called."""
    return Declaration(Kind.SHOT)


def safety() -> Declaration:
    """A declared safety."""
    return Declaration(Kind.SAFETY)


def push_out(*, announced: bool = True, acknowledged: bool = True) -> Declaration:
    """A push-out, as announced by the player and acknowledged by the opponent."""
    return Declaration(Kind.PUSH_OUT, announced=announced, acknowledged=acknowledged)


def break_shot() -> Declaration:
    """The break: nothing is called on it."""
    return Declaration(Kind.BREAK)
