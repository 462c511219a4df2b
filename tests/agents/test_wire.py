import dataclasses
import json
from datetime import date
from enum import Enum
from typing import Any

import msgspec
import numpy as np
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.agents.wire import plain, shown
from fairtrial.text.json import decode, encode

SURROGATES = st.text(st.characters(codec=None, categories=("L", "N", "P", "Cs")))


class Colour(Enum):
    red = "red"


class Shouted(str):
    pass


@dataclasses.dataclass
class Order:
    id: str


class Model(pydantic.BaseModel):
    n: int


@given(st.recursive(SURROGATES | st.integers() | st.none() | st.booleans(), st.lists))
def test_json_with_lone_surrogates_goes_in_and_out(value: Any) -> None:
    data = json.dumps(value).encode()
    read = decode(data, object)
    assert read == json.loads(data)
    assert json.loads(encode(read)) == read


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", b'{"a": NaN, "b": "\\ud800"}', b'"\\ud800"x', b"[" * 10_000]
)
def test_what_is_not_json_is_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(data, object)


def test_another_shape_is_a_validation_error_with_surrogates_too() -> None:
    for data in (b'{"a": "x"}', b'{"a": "\\ud800"}'):
        with pytest.raises(msgspec.ValidationError):
            decode(data, dict[str, int])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": (1, 2)}, {"a": [1, 2]}),
        ({1: {Shouted("x")}}, {"1": ["x"]}),
        (Order("A1"), {"id": "A1"}),
        (Model(n=3), {"n": 3}),
        (Colour.red, "red"),
        (date(2026, 1, 2), "2026-01-02"),
        (np.float64(0.5), 0.5),
        (np.int64(7), 7),
        (10**30, 10**30),
        ({"s": "\udc00", "n": float("nan")}, {"s": "\udc00", "n": None}),
        ({(1, 2): 3}, {"(1, 2)": 3}),
    ],
)
def test_python_values_become_json_data(value: object, expected: object) -> None:
    made = plain(value)
    assert made == expected
    encode(made)


def test_what_has_no_json_form_is_its_repr() -> None:
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    for value in (object(), cyclic, lambda: 0):
        assert isinstance(plain(value), str)
        encode(plain(value))


def test_a_shown_beginning_is_short_and_on_one_line() -> None:
    assert shown("a\nb" * 200).startswith("a ba b")
    assert len(shown(b"\xff" * 1000)) <= 201
