"""Kernels that only kernels call are typed and lowered, but not turned into machine code of their own.

numba emits machine code for every jitted function, though the code of one that is only called by another is
linked into its caller and emitted again there: for this engine that is half of the compilation. Where numba's
inside is not as known (0.61 and 0.62), kernels compile the ordinary way: slower once, the same code.
"""

from __future__ import annotations

from typing import Any

import numba
from numba import _dynfunc
from numba.core import codegen, typed_passes
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass

__all__ = ["inner_options"]

_KNOWN = ("0.61.", "0.62.")


class _InnerLibrary(codegen.JITCodeLibrary):
    """A library that callers link from, and that never goes to the machine by itself."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


def _not_executable(library: Any, fndesc: Any, env: Any) -> Any:
    """What stands for the compiled function in numba's tables; nothing ever calls it from Python."""
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (library,))


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(typed_passes.NativeLowering):
    """Lowering into an _InnerLibrary."""

    _name = "tenball_inner_lowering"

    def run_pass(self, state: Any) -> bool:
        context = state.targetctx
        if state.library is None:
            state.library = _InnerLibrary(context.codegen(), state.func_id.func_qualname)
        context.get_executable = _not_executable
        try:
            return bool(super().run_pass(state))
        finally:
            del context.get_executable


class _InnerCompiler(CompilerBase):
    """The ordinary nopython pipeline with the lowering above."""

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        for k, (step, description) in enumerate(pipeline.passes):
            if step is typed_passes.NativeLowering:
                pipeline.passes[k] = (_InnerLowering, description)
        pipeline.finalize()
        return [pipeline]


def inner_options() -> dict[str, Any]:
    """Options for `numba.njit` that make a function an inner kernel."""
    return {"pipeline_class": _InnerCompiler} if numba.__version__.startswith(_KNOWN) else {}
