"""The base of everything that a person writes into a file."""

from pydantic import BaseModel, ConfigDict


class Written(BaseModel):
    """No unknown field, and no value of one type taken for another; frozen once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)
