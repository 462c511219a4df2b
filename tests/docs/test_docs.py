"""The pages agree with each other and with the program: links, twins, commands, settings, lines, targets."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
from pydantic import BaseModel

from fairtrial.agents.config import AgentConfig
from fairtrial.app.config import (
    CanariesConfig,
    FingerprintConfig,
    Project,
    RunConfig,
    ScoreConfig,
    SealConfig,
    SetConfig,
)
from fairtrial.cli.main import app
from fairtrial.evidence.thresholds import LINES
from fairtrial.records.interop.detect import FORMATS
from fairtrial.schema.fingerprint import PartName
from fairtrial.scoring.golden import load_golden

ROOT = Path(__file__).resolve().parents[2]
READMES = [ROOT / "README.md", ROOT / "README.zh.md"]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [
    *ROOT.glob("*.md"),
    *DOCS,
    *sorted(ROOT.glob("docs/adr/*.md")),
    *sorted(ROOT.glob("examples/**/*.md")),
]
PAGES += sorted(ROOT.glob("benchmarks/*.md")) + sorted(ROOT.glob("benchmarks/[a-z]*/*.md"))
LANGUAGES = ["en", "zh"]
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def doc(name: str, language: str) -> str:
    return (ROOT / f"{name}{'.zh' if language == 'zh' else ''}.md").read_text(encoding="utf-8")


def prose(text: str) -> str:
    return FENCE.sub("", text)


def anchors(page: Path) -> set[str]:
    """As the page's readers on the web make them: lower case, no punctuation, hyphens for spaces."""
    headings = re.findall(r"^#+ (.+)$", prose(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_every_page_has_its_twin_and_both_lead_to_each_other() -> None:
    english = [page for page in [READMES[0], *DOCS] if not page.name.endswith(".zh.md")]
    twins = {page: page.with_name(f"{page.stem}.zh.md") for page in english}
    assert {*twins, *twins.values()} == {*READMES, *DOCS}
    for page, twin in twins.items():
        assert f"({twin.name})" in page.read_text(encoding="utf-8").partition("\n## ")[0]
        assert f"({page.name})" in twin.read_text(encoding="utf-8").partition("\n## ")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_on_the_list(language: str) -> None:
    listed = set(re.findall(r"\]\(([\w.-]+\.md)\)", doc("docs/index", language)))
    pages = {page.name for page in DOCS if page.name.endswith(".zh.md") == (language == "zh")}
    other = {"index.md", "index.zh.md"}
    assert listed - other == pages - other


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_twins_have_as_many_sections_tables_and_examples(language: str) -> None:
    for page in [READMES[0], *(page for page in DOCS if not page.name.endswith(".zh.md"))]:
        ours, twin = (p.read_text(encoding="utf-8") for p in (page, page.with_name(f"{page.stem}.zh.md")))
        assert [kind for kind, _ in FENCE.findall(ours)] == [kind for kind, _ in FENCE.findall(twin)], (
            page.name
        )
        for mark in (r"^## ", r"^\| --- "):
            count = [len(re.findall(mark, prose(text), re.MULTILINE)) for text in (ours, twin)]
            assert count[0] == count[1], (page.name, mark)


def commands(text: str) -> Iterator[tuple[list[str], bool]]:
    """The words after `fairtrial` of each command shown, and whether it is whole (on a line of its own)."""
    lines = [line for _, block in FENCE.findall(text) for line in block.splitlines()]
    lines += [line.strip() for line in prose(text).splitlines() if line.startswith("    ")]
    shown = [(line.removeprefix("$ "), True) for line in lines]
    shown += [(" ".join(span.split()), False) for span in re.findall(r"`([^`]+)`", prose(text))]
    for line, whole in shown:
        if re.match(r"(\.venv/bin/)?fairtrial [a-z-]", line):
            lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
            words = list(lexer)[1:]
            end = next((i for i, word in enumerate(words) if word[0] in "|&;<>"), len(words))
            yield words[:end], whole


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_shown_is_one_that_the_program_takes(page: Path) -> None:
    known: Any = typer.main.get_command(app)
    for (name, *arguments), whole in commands(page.read_text(encoding="utf-8")):
        if name.startswith("--"):
            assert name == "--help" or any(name in option.opts for option in known.params)
            continue
        command = known.commands[name]
        while arguments and arguments[0] in getattr(command, "commands", ()):
            command = command.commands[arguments.pop(0)]
        options = {text for param in command.params for text in param.opts} | {"--help"}
        assert {word for word in arguments if word.startswith("-")} <= options, (name, arguments)
        if whole:
            command.make_context(name, arguments)  # raises where the command line would refuse


def test_the_commands_are_found() -> None:
    found = [" ".join(words) for words, _ in commands(doc("README", "en"))]
    assert {"init my-agent", "check --null", "run --mode quick", "show --sample 5"} <= set(found)


@pytest.mark.parametrize("page", [*READMES, *DOCS], ids=lambda page: page.name)
def test_every_toml_example_is_a_valid_configuration(page: Path) -> None:
    for kind, text in FENCE.findall(page.read_text(encoding="utf-8")):
        if kind == "toml":
            project = Project.model_validate(tomllib.loads(text))
            for name in [None, *project.doubts.sets]:
                for mode in ("full", "quick"):
                    project.doubts.resolve(name, mode)


def written(value: Any, absent: str) -> str:
    """A default as a person writes it in TOML."""
    if value is None:
        return absent
    if isinstance(value, str):
        return f'`"{value}"`'
    return f"`{list(value)}`" if isinstance(value, tuple) else f"`{int(value) if value == 60 else value}`"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("table", "model"),
    [
        ("run", RunConfig),
        ("score", ScoreConfig),
        ("fingerprint", FingerprintConfig),
        ("canaries", CanariesConfig),
        ("sets.NAME", SetConfig),
        ("seal", SealConfig),
    ],
)
def test_every_setting_is_documented_with_its_default(
    language: str, table: str, model: type[BaseModel]
) -> None:
    section = doc("docs/configuration", language).partition(f"\n## `[{table}]`\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]*) \|", section, re.MULTILINE))
    absent = {"en": "none", "zh": "无"}[language]
    expected = {name: written(field.default, absent) for name, field in model.model_fields.items()}
    if table == "run":
        expected["trials"] = {"en": "by mode", "zh": "随模式"}[language]
    assert rows == expected
    options: Any = typer.main.get_command(app)
    names = {text for param in options.commands["run"].params for text in param.opts}
    assert set(re.findall(r"`(--[\w-]+)`", section)) <= names


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_of_an_agent_is_documented(language: str) -> None:
    section = doc("docs/configuration", language).partition("\n## `[agent]`\n")[2].partition("\n## ")[0]
    found: dict[str, set[str]] = {}
    for kind, cell in re.findall(r"^\| (?:`(\w+)`)? ?\| (`[^|]*`) \|", section, re.MULTILINE):
        settings = found.setdefault(kind or list(found)[-1], set())
        settings |= set(re.findall(r"`(\w+)`", cell))
    kinds = {kind.model_fields["type"].annotation: kind for kind in get_args(get_args(AgentConfig)[0])}
    assert found == {get_args(tag)[0]: set(kind.model_fields) - {"type"} for tag, kind in kinds.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_doubt_line_has_its_threshold_and_its_section(language: str) -> None:
    page = doc("docs/configuration", language)
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| `([\d.]+)`[^|]*\| (\S+) \|$", page, re.MULTILINE)
    below, yes = {"en": ("below", "yes"), "zh": ("低于", "是")}[language]
    assert [(name, side == below, float(value), forbids == yes) for name, side, value, forbids in rows] == [
        (name, line.side == "below", line.threshold, line.forbids) for name, line in LINES.items()
    ]
    sections = re.findall(r"^## (\w+)$", doc("docs/doubts", language), re.MULTILINE)
    assert set(LINES) <= set(sections)
    assert set(re.findall(r"^\| `(\w+)` \|", doc("README", language), re.MULTILINE)) == {
        name for name, line in LINES.items() if line.forbids
    }
    assert {"en": "Nineteen doubt lines", "zh": "十九条认错线"}[language] in doc("README", language)
    assert len(LINES) == 19


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_readme_lists_the_targets_of_make_and_the_ci_step(language: str) -> None:
    page = doc("README", language)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert set(re.findall(r"^\| `make ([a-z-]+)` \|", page, re.MULTILINE)) == targets
    step = (files("fairtrial.app") / "template" / "ci-step.yml").read_text(encoding="utf-8")
    assert step.partition("\n")[2] in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_golden_samples_shown_can_be_read(language: str, tmp_path: Path) -> None:
    page = doc("docs/reading-a-round", language)
    (text,) = [text for kind, text in FENCE.findall(page) if kind == "yaml"]
    (tmp_path / "golden.yaml").write_text(text, encoding="utf-8")
    assert len(load_golden(tmp_path / "golden.yaml")) == 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_format_that_is_read_is_on_its_page(language: str) -> None:
    table = doc("docs/importing", language).partition("\n| --- |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE) == [one.name for one in FORMATS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_of_a_fingerprint_is_on_its_page(language: str) -> None:
    table = doc("docs/fingerprint", language).partition("\n| --- |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(PartName)
