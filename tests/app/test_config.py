"""`fairtrial.toml`: every mistake with its line, and secrets from the environment."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import fairtrial, header, write_project

from fairtrial.app.config import load_project
from fairtrial.errors import BadInput

GOOD = """# a project
[agent]
type = "python"
function = "clerk.py:right"

[run]
cases = ["prices.json"]
concurrency = 2
timeout = 5

[score]
minimum = 0.1

[doubts]
few_cases = 30

[doubts.sets.prices.full]
too_good = 0.9
"""


def refusal(here: Path, text: str | bytes) -> str:
    path = here / "fairtrial.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadInput) as caught:
        load_project()
    said = fairtrial("run")
    assert said.code == 2
    assert said.complaint == f"fairtrial: {caught.value}"
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("timeout = 5", "timout = 5", 9, "`run.timout` is not a setting; did you mean `timeout`?"),
        ("# a project", 'folder = "x"', 1, "`folder` is not a setting"),
        ("[score]", "[scores]", 11, "`scores` is not a setting; did you mean `score`?"),
        ('type = "python"', 'type = "python"\nfunktion = "x:y"', 4, "did you mean `function`?"),
        ("concurrency = 2", 'concurrency = "2"', 8, "`run.concurrency` must be a whole number, not '2'"),
        ("concurrency = 2", "concurrency = 0", 8, "`run.concurrency` must be at least 1, not 0"),
        ("timeout = 5", "timeout = nan", 9, "`run.timeout` must be a finite number, not nan"),
        ("timeout = 5", "timeout = true", 9, "`run.timeout` must be a number, not True"),
        (
            'cases = ["prices.json"]',
            'cases = "prices.json"',
            7,
            "`run.cases` must be a list, not 'prices.json'",
        ),
        ("minimum = 0.1", "minimum = 10", 12, "`score.minimum` must be at most 1, not 10"),
        ('type = "python"', 'type = "teapot"', 3, "'replay', 'null', not 'teapot'"),
        ('type = "python"', 'kind = "python"', 2, "`agent` needs a `type`"),
        ('function = "clerk.py:right"', 'model = "x"', 2, "`agent.function` is missing"),
        ("few_cases = 30", "few_casses = 30", 14, "no line is called `few_casses`"),
        ("few_cases = 30", "few_cases = false", 14, "`few_cases` can not be switched on or off"),
        ("few_cases = 30", "few_cases = {treshold = 3}", 15, "treshold` is not a setting"),
        ("too_good = 0.9", "too_good = 2.0", 17, "`too_good` can not be switched off"),
        ("[run]", "[run", 6, "Expected"),
        ("minimum = 0.1", "minimum 0.1", 12, "Expected"),
        ("timeout = 5", "timeout = “5”", 9, "(signs and quotes are those of an English keyboard)"),
    ],
)
def test_a_mistake_is_told_with_its_line(here: Path, old: str, new: str, line: int, what: str) -> None:
    assert old in GOOD
    told = refusal(here, GOOD.replace(old, new))
    assert told.startswith(f"fairtrial.toml:{line}: ")
    assert what in told


def test_a_mistake_in_chinese(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh_CN.UTF-8")
    assert "没有 `run.timout` 这个设置；是否想写 `timeout`？" in refusal(
        here, GOOD.replace("timeout", "timout")
    )
    told = refusal(here, GOOD.replace("concurrency = 2", 'concurrency = "2"'))
    assert told == "fairtrial.toml:8: `run.concurrency` 应为整数，而不是 '2'"


def test_other_encodings(here: Path) -> None:
    (here / "fairtrial.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert load_project().run.concurrency == 2
    assert "save it as UTF-8" in refusal(here, "# 中文\n".encode("gbk") + GOOD.encode())
    assert "not UTF-8: byte 0xd6 at offset 2; it may be GBK" in refusal(here, "# 中文\n".encode("gbk"))
    assert "fairtrial.toml" in refusal(here, GOOD.encode("utf-16"))


def test_a_file_that_is_named_must_be_there(here: Path) -> None:
    for name, what in (("nowhere.toml", "No such file"), (".", "Is a directory")):
        said = fairtrial("run", "--config", name)
        assert said.code == 2
        assert said.complaint.startswith(f"fairtrial: {name}: {what}")
    assert load_project().agent is None


def test_paths_are_relative_to_the_file(here: Path) -> None:
    home = here / "home"
    home.mkdir()
    write_project(home)
    said = fairtrial("run", "--config", "home/fairtrial.toml", "--json")
    assert said.code == 0
    assert said.log.parent == home / "logs"
    assert fairtrial("show", "--config", "home/fairtrial.toml", "--json").log.name == said.log.name
    config = header(said.log)["config"]
    assert config["folder"] == str(home)
    assert config["agent"]["function"] == str(home / "clerk.py:right")


class TestEnvironment:
    """`.env` fills in what is not set."""

    @pytest.fixture(autouse=True)
    def _restored(self) -> Iterator[None]:
        before = dict(os.environ)
        yield
        for name in set(os.environ) - set(before):
            del os.environ[name]
        os.environ.update(before)

    def test_it_is_read_and_what_is_set_wins(self, here: Path) -> None:
        (here / "fairtrial.toml").write_text(GOOD)
        (here / ".env").write_text("SHOP_KEY=from-file\nSHOP_NAME=店\n", "utf-8")
        os.environ["SHOP_KEY"] = "from-outside"
        load_project()
        assert os.environ["SHOP_KEY"] == "from-outside"
        assert os.environ["SHOP_NAME"] == "店"

    def test_without_a_project_file_too(self, here: Path) -> None:
        (here / ".env").write_text("SHOP_COLOUR=red\n")
        load_project()
        assert os.environ["SHOP_COLOUR"] == "red"

    def test_one_that_can_not_be_read_is_told(self, here: Path) -> None:
        (here / ".env").write_bytes("名=值".encode("gbk"))
        said = fairtrial("run", "x.json")
        assert said.code == 2
        assert ".env" in said.complaint

    def test_no_secret_is_in_the_log(self, here: Path) -> None:
        write_project(here, 2)
        toml = '[agent]\ntype = "http"\nurl = "http://127.0.0.1:9/"\nheaders = { key = "${SHOP_KEY}" }\n'
        (here / "fairtrial.toml").write_text(toml + '[run]\ncases = ["prices.json"]\ntrials = 1\n')
        (here / ".env").write_text("SHOP_KEY=very-secret\n")
        log = fairtrial("run", "--json").log
        assert "very-secret" not in log.read_text("utf-8")
        assert "${SHOP_KEY}" in log.read_text("utf-8")
