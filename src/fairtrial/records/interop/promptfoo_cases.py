"""Which case, trial and condition a result of promptfoo is: its own numbers count repeats as tests."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fairtrial.records.fingerprint import digest_of
from fairtrial.records.interop.shapes import as_dict, dig, plain
from fairtrial.text.json import encode

_LONGEST_NAME = 80


def test_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """What makes the test the one it is."""
    test = as_dict(result.get("testCase"))
    return {
        "description": test.get("description") or result.get("description"),
        "vars": test.get("vars", result.get("vars")),
        "assert": test.get("assert"),
    }


def names_of(results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> list[str]:
    """The name of each result's test: its description, else its variables.

    Where two tests would be called alike, the later ones are numbered. Where the file says that nothing was
    repeated, the tests of two numbers are two, though they ask the same.
    """
    repeat = dig(document, "runtimeOptions.repeat")
    apart = "runtimeOptions" in document and repeat in (None, 0, 1)
    known: dict[bytes, str] = {}
    used: Counter[str] = Counter()
    names = []
    for result in results:
        test = test_of(result)
        key = encode([test, result.get("testIdx") if apart else None])
        if key not in known:
            name = _name(test)
            used[name] += 1
            known[key] = name if used[name] == 1 else f"{name} #{used[name]}"
        names.append(known[key])
    return names


def _name(test: Mapping[str, Any]) -> str:
    if test["description"]:
        return _short(test["description"])
    values = as_dict(test["vars"]).values()
    return _short(" · ".join(plain(value) for value in values)) or "test"


def _short(text: Any) -> str:
    """On one line; where it is long, its beginning and a digest of all."""
    line = " ".join(str(text or "").split())
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 10]}… {digest_of(line)[:8]}"


def condition_of(result: Mapping[str, Any]) -> tuple[str, str]:
    """Prompt and provider of a result, in words."""
    prompt, provider = result.get("prompt"), result.get("provider")
    if isinstance(prompt, dict):
        prompt = prompt.get("label") or prompt.get("display") or prompt.get("raw")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return _short(prompt), _short(provider)


def trials_of(results: Sequence[Mapping[str, Any]], keys: Sequence[Any]) -> list[int]:
    """Repeats of a test under a condition in their order; a result that is there twice has one number."""
    seen: dict[Any, dict[str, int]] = {}
    trials = []
    for index, result in enumerate(results):
        numbers = seen.setdefault(keys[index], {})
        trials.append(numbers.setdefault(str(result.get("id") or index), len(numbers)))
    return trials
