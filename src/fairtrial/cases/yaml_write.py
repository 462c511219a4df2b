"""Values as they are written in a YAML case file: rules on one line each, texts as they are."""

from collections.abc import Mapping
from typing import Any

import yaml

from fairtrial.cases.yaml_text import resolve

WIDTH = 100


class _Dumper(yaml.SafeDumper):
    """Writes no aliases, and quotes what the reader of case files would take for a number."""

    yaml_implicit_resolvers = {
        first: [pair for pair in pairs if not pair[0].endswith(":timestamp")]
        for first, pairs in yaml.SafeDumper.yaml_implicit_resolvers.items()
    }

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = text.isprintable() and isinstance(resolve(text), str)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')


_Dumper.add_representer(str, _text)


def flow(value: Any) -> str:
    """The value on one line."""
    text = yaml.dump(
        value,
        Dumper=_Dumper,
        default_flow_style=True,
        allow_unicode=True,
        sort_keys=False,
        width=float("inf"),
    )
    return str(text).removesuffix("\n").removesuffix("\n...")


def field_lines(name: str, value: Any) -> list[str]:
    """A field in block style: on one line where it is short, else one for each item or field of its value."""
    line = f"{flow(name)}: {flow(value)}"
    if isinstance(value, Mapping) and value and len(line) > WIDTH:
        return [f"{flow(name)}:", *(f"  {text}" for text in case_lines(value))]
    nested = isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value)
    if isinstance(value, list) and value and (nested or len(line) > WIDTH):
        return [f"{flow(name)}:", *(f"  - {flow(item)}" for item in value)]
    return [line]


def case_lines(case: Mapping[str, Any]) -> list[str]:
    """The fields of a case, in their order."""
    return [line for name, value in case.items() for line in field_lines(name, value)]
