"""Objects made to stay, which Python's garbage collector need not look through."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

_T = TypeVar("_T")


@contextmanager
def settled(make: Callable[[], _T]) -> Iterator[_T]:
    """What `make` makes, without a search for cyclic garbage while it does, nor later in what it made.

    Cases and their rules are many objects and no garbage: to look through them again and again, while they
    are made and while sessions run, costs more than to make them. What no cycle holds is freed as ever.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        made = make()
        gc.freeze()
    finally:
        if was_on:
            gc.enable()
    try:
        yield made
    finally:
        gc.unfreeze()
