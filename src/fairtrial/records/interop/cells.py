"""A table as columns, whichever way it is written: CSV, JSON Lines or a JSON list of objects."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.records.interop.content import Content
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Cells:
    """Names, and columns of equal length; `places` are the indexes of the rows in the content."""

    content: Content
    names: tuple[str, ...]
    columns: tuple[Sequence[Any], ...]
    places: Sequence[int]

    def where(self, row: int) -> str:
        """File and line (in a JSON list: index) of a row."""
        return self.content.where(self.places[row])

    def without(self, rows: frozenset[int]) -> "Cells":
        """The table less some rows."""
        kept = [row for row in range(len(self.places)) if row not in rows]
        return replace(
            self,
            columns=tuple([column[row] for row in kept] for column in self.columns),
            places=[self.places[row] for row in kept],
        )


def names_of(content: Content) -> tuple[str, ...]:
    """The names of the columns: the first row of a CSV, else the keys of the first object."""
    return _numbered(content.data[0]) if content.kind == "csv" else tuple(content.first)


def cells_of(content: Content) -> Cells:
    """The content as a table. Raises BadInput for a row that has more cells than there are names."""
    return _of_csv(content) if content.kind == "csv" else _of_objects(content)


def _of_csv(content: Content) -> Cells:
    names = names_of(content)
    rows: list[list[str]] = content.data[1:]
    places: Sequence[int] = range(1, len(content.data))
    if any(len(row) != len(names) for row in rows):
        filled = [at for at in places if any(content.data[at])]
        rows, places = [_fitted(content.data[at], len(names), content.where(at)) for at in filled], filled
    columns = tuple(zip(*rows, strict=True)) if rows else ((),) * len(names)
    return Cells(content=content, names=names, columns=columns, places=places)


def _fitted(row: list[str], width: int, where: str) -> list[str]:
    """Cells left out at the end are empty; ones too many mean that an unquoted delimiter shifted the rest."""
    if any(row[width:]):
        raise BadInput(
            say(f"{len(row)} cells, but {width} column names", f"有 {len(row)} 格，但列名只有 {width} 个"),
            where=where,
            how=say("quote cells that hold the delimiter", "含分隔符的单元格请加引号"),
        )
    return row[:width] + [""] * (width - len(row))


def _numbered(header: Sequence[str]) -> tuple[str, ...]:
    """The names, the second and further ones of a name with their number."""
    seen: dict[str, int] = {}
    names = []
    for name in header:
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def _of_objects(content: Content) -> Cells:
    for index, row in enumerate(content.items):
        if not isinstance(row, dict):
            raise BadInput(
                say("a row of the table is no JSON object", "表中有一行不是 JSON 对象"),
                where=content.where(index),
            )
    names = tuple(dict.fromkeys(name for row in content.items for name in row))
    columns = tuple([row.get(name) for row in content.items] for name in names)
    return Cells(content=content, names=names, columns=columns, places=range(len(content.items)))
