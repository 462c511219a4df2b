"""What stays is kept out of the garbage collector's sight for as long as it is in use, and no longer."""

import gc

import pytest

from fairtrial.app.settled import settled


def test_the_collector_rests_while_things_are_made_and_passes_over_them_while_they_are_used() -> None:
    frozen = gc.get_freeze_count()

    with settled(lambda: [gc.isenabled(), *map(list, [[1], [2]])]) as made:
        assert made == [False, [1], [2]]
        assert gc.isenabled()
        assert gc.get_freeze_count() > frozen

    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_the_collector_works_again_where_nothing_could_be_made() -> None:
    def refuse() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"), settled(refuse):
        pass

    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with settled(list):
            assert not gc.isenabled()
    finally:
        gc.enable()
