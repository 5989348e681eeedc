"""The law at work: one shot to one ruling, one answer to one new state."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .declaration import Declaration
    from .record import ShotRecord
    from .ruling import Ruling
    from .state import RackState
    from .terms import Side


def check_declaration(state: RackState, declaration: Declaration) -> None:
    """Raise DeclarationRefused, with the reason, if this declaration is not available now."""
    raise NotImplementedError


def adjudicate(state: RackState, declaration: Declaration, record: ShotRecord) -> Ruling:
    """The ruling on one shot."""
    raise NotImplementedError


def decide(state: RackState, side: Side, choice: str) -> RackState:
    """The state after `side` answers the open option with `choice`."""
    raise NotImplementedError
