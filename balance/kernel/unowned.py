"""Arrays without an owner: inside a playout nobody counts references.

Numba counts references to arrays with atomic instructions, at every call that is not inlined; in a ply
loop that was 40 % of the time. An unowned view has nothing to count. Whoever makes one keeps the array
alive: here it is always an argument of the outermost kernel.
"""

from __future__ import annotations

from typing import Any

from balance.kernel.jit import PURE_PYTHON

if PURE_PYTHON:

    def unowned(array: Any) -> Any:
        """The array itself: Python counts references anyway."""
        return array

else:
    from numba.core import cgutils
    from numba.core.imputils import impl_ret_untracked
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array, populate_array

    @intrinsic
    def unowned(typing_context, array):
        """A view of `array` that takes no part in reference counting."""

        def build(context, builder, signature, arguments):
            source = make_array(signature.args[0])(context, builder, arguments[0])
            view = make_array(signature.return_type)(context, builder)
            dimensions = signature.args[0].ndim
            populate_array(
                view,
                data=source.data,
                shape=cgutils.unpack_tuple(builder, source.shape, dimensions),
                strides=cgutils.unpack_tuple(builder, source.strides, dimensions),
                itemsize=source.itemsize,
                meminfo=None,
            )
            return impl_ret_untracked(context, builder, signature.return_type, view._getvalue())

        return array(array), build
