"""Linear algebra on one thread: matrices of ratings are small, and the other processors belong to the bots."""

from contextlib import AbstractContextManager

import numpy.linalg  # noqa: F401 - loads its library, which the controller then finds
import scipy.linalg  # noqa: F401 - has a library of its own
from threadpoolctl import ThreadpoolController

_controller = ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which numpy and scipy use the calling thread alone."""
    context: AbstractContextManager[object] = _controller.limit(limits=1)
    return context
