"""Helpers without machine code of their own: they are optimised and translated with whoever calls them.

Numba optimises every function together with all that it calls, and makes machine code of the lot, at each
level of calls anew: in loops and rules with chains of calls twenty deep that was half of all compilation
time. Nobody but another kernel ever calls a helper, so its code may wait, as the compiler first wrote it,
until an outermost function brings it in: there it is optimised once, with everything around it.

Like :mod:`balance.kernel.unowned` this leans on Numba's inside; other layers see nothing of it.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class Silent:
    """What a helper sees of the code generator: it has no address where an environment could be put."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        """Nothing: the outermost function has the environments of all that it calls."""


class HelperLibrary(JITCodeLibrary):
    """Code that is linked into its callers and never into memory."""

    @property
    def codegen(self) -> Any:
        """See :class:`Silent`."""
        return Silent

    def finalize(self) -> None:
        """Bring in what the helper calls; neither optimise nor translate it."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """0, as for every function that a library does not define."""
        self._ensure_finalized()
        return 0


class HelperCompiler(Compiler):
    """Numba's usual passes over a :class:`HelperLibrary`."""

    def define_pipelines(self) -> Any:
        """The passes; Numba asks once for every compilation."""
        state = self.state
        state.library = HelperLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()
