"""A table as columns, whichever way it is written: CSV, JSON Lines or a JSON list of objects."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.records.interop.content import Content, broken
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

    def only(self, rows: Sequence[int]) -> "Cells":
        """Some of the rows."""
        columns = tuple([column[row] for row in rows] for column in self.columns)
        return replace(self, columns=columns, places=[self.places[row] for row in rows])


def names_of(content: Content) -> tuple[str, ...]:
    """The names of the columns: the first row of a CSV (a name's second column is `name (2)`), else the keys
    of the first object."""
    if content.kind != "csv":
        return tuple(content.first)
    seen: Counter[str] = Counter()
    names = []
    for name in content.data[0]:
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(names)


def cells_of(content: Content) -> Cells:
    """The content as a table. Raises BadInput for a row that has more cells than there are names."""
    if content.kind != "csv":
        return _of_objects(content)
    names = names_of(content)
    rows: Sequence[Sequence[str]] = content.data[1:]
    places: Sequence[int] = range(1, len(content.data))
    if any(len(row) != len(names) for row in rows):
        places = [at for at in places if any(content.data[at])]
        rows = [_fitted(content.data[at], len(names), content.where(at)) for at in places]
    columns = tuple([row[at] for row in rows] for at in range(len(names)))
    return Cells(content=content, names=names, columns=columns, places=places)


def _fitted(row: Sequence[str], width: int, where: str) -> Sequence[str]:
    """Cells left out at the end are empty; ones too many mean that an unquoted delimiter shifted the rest."""
    if any(row[width:]):
        raise BadInput(
            say(f"{len(row)} cells, but {width} column names", f"有 {len(row)} 格，但列名只有 {width} 个"),
            where=where,
            how=say("quote cells that hold the delimiter", "含分隔符的单元格请加引号"),
        )
    return [*row[:width], *[""] * (width - len(row))]


def _of_objects(content: Content) -> Cells:
    for index, row in enumerate(content.items):
        if not isinstance(row, dict):
            why = say("a row of the table is no JSON object", "表中有一行不是 JSON 对象")
            raise broken(why, content.where(index))
    names = tuple(dict.fromkeys(name for row in content.items for name in row))
    columns = tuple([row.get(name) for row in content.items] for name in names)
    return Cells(content=content, names=names, columns=columns, places=range(len(content.items)))
