"""power and calibrate, from the command line."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import fairtrial
from round_samples import draw, header, log

from fairtrial.records.log import read_header, read_rows, write_log
from fairtrial.schema.evidence import Decision

CHANCES = [0.3 + 0.65 * i / 119 for i in range(120)]


def fill(folder: Path, rounds: int = 4, cases: int = 120, **changed: Any) -> None:
    for n in range(rounds):
        log(folder / "logs", draw(CHANCES[:cases], seed=n), n + 1, **changed)


@pytest.fixture
def history(here: Path) -> Path:
    """A project of four rounds of 120 cases."""
    fill(here)
    (here / "fairtrial.toml").write_text("# 我的项目\n[run]\ncases = []  # none\n", "utf-8")
    return here


class TestPower:
    """What a plan shows."""

    def test_the_table_and_the_document(self, here: Path) -> None:
        said = fairtrial("power", "--cases", 120, "--json")
        assert said.code == 0
        assert said.document["status"] == "planned"
        assert [row["trials"] for row in said.document["table"]] == [1, 3, 5, 10, None]
        assert said.document["table"][0]["cases"] == 3876
        out = fairtrial("power", "--cases", 120).out
        assert "3876" in out
        assert "120 cases × 3 trials on each side show a difference of 12.1 points or more" in out
        assert "time unknown, cost unknown" in out
        assert "∞" in out
        zh = fairtrial("power", "--cases", 120, env={"FAIRTRIAL_LANG": "zh"}).out
        assert "两侧各 120 个用例 × 3 次" in zh
        assert "假定，并非实测" in zh

    def test_of_a_log(self, history: Path) -> None:
        said = fairtrial("power", "--difference", 0.1, "--power", 0.9, "--json").document
        assert said["variances"]["log"] == "2026-11-04T00-00-00Z-00000000"
        assert (said["cases"], said["seconds"]) == (120, pytest.approx(360.0))

    def test_complaints(self, here: Path) -> None:
        assert (
            "--difference: 3 does not lie between 0.0001 and 1"
            in fairtrial("power", "--difference", 3).complaint
        )
        # A chance of less than the test's own error would come out as a difference below 0.
        assert "--power: 0.01 does not lie between 0.1" in fairtrial("power", "--power", 0.01).complaint
        assert fairtrial("power", "--difference", "1e-200").code == 2
        assert fairtrial("power").code == 2


class TestProposal:
    """What a calibration says and writes."""

    def test_the_document_and_the_file(self, history: Path) -> None:
        said = fairtrial("calibrate", "--json")
        assert said.code == 0
        [one] = said.document["sets"]
        assert (one["set"], one["mode"], one["rounds"], one["cases"]) == ("问题集", "full", 4, 120)
        assert one["noise_floor"]["pairs"] == 3
        assert said.document["file"] == "doubts.proposed.toml"
        text = (history / "doubts.proposed.toml").read_text("utf-8")
        assert text.count("# 4 rounds (0 refused), 120 cases; ") == len(one["lines"]) == 7
        assert "follows the history's own spread; [" in text
        lines = tomllib.loads(text)["doubts"]["sets"]["问题集"]["full"]
        assert {name: line["threshold"] for name, line in lines.items()} == {
            line["line"]: pytest.approx(line["threshold"]) for line in one["lines"]
        }

    def test_for_people_in_both_languages(self, history: Path) -> None:
        out = fairtrial("calibrate", "logs", "-o", "a.toml").out
        assert "问题集, full: 4 rounds (0 refused), 120 cases" in out
        assert "noise floor: " in out
        assert "Lines that follow the spread call usual whatever was usual." in out
        zh = fairtrial("calibrate", "-o", "b.toml", env={"FAIRTRIAL_LANG": "zh"}).out
        assert "噪声下限：" in zh
        assert "现为" in (history / "b.toml").read_text("utf-8")
        assert "drift" not in out
        assert "漂移" not in zh

    def test_a_difference_far_above_the_floor_is_drift_not_noise(self, history: Path) -> None:
        log(history / "logs", draw([chance / 3 for chance in CHANCES], seed=9), 9)
        out = fairtrial("calibrate", "-o", "a.toml").out
        told = " ".join(out.split())
        assert "drift between the rounds, not noise, and the lines that follow the spread must not" in told
        zh = fairtrial("calibrate", "-o", "b.toml", env={"FAIRTRIAL_LANG": "zh"}).out
        assert "轮次之间的漂移，不是噪声，不可据此采用跟随离散的线" in "".join(zh.split())

    def test_refused_rounds_count_stopped_narrowed_and_imported_ones_do_not(self, history: Path) -> None:
        rows = draw(CHANCES, seed=7)
        log(history / "logs", draw([0.98] * 120, seed=8), 11, status="unreliable")
        decision = Decision(question="?", answer="better", looks=(), planned_cases=400)
        log(history / "logs", rows, 12, decision=decision)
        config = header(rows, 13).config
        log(history / "logs", rows, 13, config=config | {"cases": config["cases"] | {"ids": ["c1"]}})
        log(history / "logs", rows, 14, mode="import")
        said = fairtrial("calibrate", "--json").document
        [one] = said["sets"]
        assert (one["rounds"], one["refused"]) == (5, 1)
        assert [(left["rounds"], left["why"]) for left in said["left_out"]] == [
            (1, "run until decided: pulled towards its answer"),
            (1, "only some cases of the set"),
        ]

    def test_a_round_that_was_scored_anew_counts_once(self, history: Path) -> None:
        old = next((history / "logs").glob("2026-11-02*"))
        top = read_header(old)
        new = msgspec.structs.replace(
            top,
            run="2026-11-20T00-00-00Z-1",
            config=top.config | {"rescored_from": top.run},
            scorer_digest="new",
        )
        write_log(history / "logs" / "2026-11-20T00-00-00Z-1.jsonl", new, read_rows(old))
        said = fairtrial("calibrate", "--json").document
        assert said["sets"][0]["rounds"] == 4
        assert said["sets"][0]["scorers"] == 2
        assert "scored by 2 versions" in fairtrial("calibrate", "-o", "other.toml").out

    def test_each_mode_and_set_by_itself(self, history: Path) -> None:
        for n in range(3):
            log(history / "logs", draw(CHANCES, seed=n, trials=1), 20 + n, mode="quick", status="quick")
        log(
            history / "logs",
            draw(CHANCES, seed=5),
            25,
            set_digest="other",
            config=header(draw(CHANCES, seed=5), 25).config
            | {"run": {"cases": ["a.json", "b.json"], "trials": 3}},
        )
        said = fairtrial("calibrate", "--json").document
        assert [(one["set"], one["mode"], one["rounds"]) for one in said["sets"]] == [
            ("问题集", "full", 4),
            ("问题集", "quick", 3),
        ]
        [left] = said["left_out"]
        assert (left["set"], left["why"]) == (None, "1 round of 120 cases; 3 rounds of 100 cases are needed")

    @pytest.mark.parametrize(("rounds", "cases"), [(2, 120), (4, 99), (0, 0)])
    def test_too_little_is_refused_with_what_there_is(self, here: Path, rounds: int, cases: int) -> None:
        fill(here, rounds, cases)
        said = fairtrial("calibrate")
        assert said.code == 2
        assert "too little to calibrate by" in said.complaint
        assert (f"{rounds} rounds of {cases} cases" if rounds else "no round") in said.complaint
        assert not (here / "doubts.proposed.toml").exists()

    def test_two_sets_without_a_name_would_share_their_lines(self, here: Path) -> None:
        rows = draw(CHANCES, seed=1)
        nameless = header(rows, 1).config | {"run": {"cases": ["a.json", "b.json"], "trials": 3}}
        for n, digest in enumerate(("one", "two") * 3):
            log(here / "logs", draw(CHANCES, seed=n), n + 1, set_digest=digest, config=nameless)
        assert "one of several sets without a name" in fairtrial("calibrate").complaint
        for n in range(3):
            log(here / "logs", draw(CHANCES, seed=n), n + 11)
        said = fairtrial("calibrate", "--json").document
        assert [one["set"] for one in said["sets"]] == ["问题集"]
        assert [left["rounds"] for left in said["left_out"]] == [3, 3]

    def test_rounds_that_are_all_alike_have_no_spread_to_follow(self, here: Path) -> None:
        for n in range(4):
            log(here / "logs", draw([1.0] * 120, seed=n), n + 1)
        lines = {line["line"]: line for line in fairtrial("calibrate", "--json").document["sets"][0]["lines"]}
        assert set(lines) == {"few_cases", "too_low", "useful_high", "useful_falls"}
        assert "assumed, not measured" in lines["few_cases"]["why"]

    def test_a_folder_that_is_none_is_no_empty_one(self, history: Path) -> None:
        for wrong in ("nowhere", "fairtrial.toml"):
            assert fairtrial("calibrate", wrong).complaint == f"fairtrial: {wrong}: no such folder"

    def test_nothing_is_written_over(self, history: Path) -> None:
        fairtrial("calibrate")
        said = fairtrial("calibrate")
        assert (said.code, "there is such a file already" in said.complaint) == (2, True)
        assert "between 0.0001 and 1" in fairtrial("calibrate", "--difference", 5).complaint


class TestAcceptance:
    """A person takes the lines over."""

    @pytest.fixture
    def proposed(self, history: Path) -> Path:
        assert fairtrial("calibrate").code == 0
        return history

    def accept(self, *more: object) -> Any:
        return fairtrial("calibrate", "--accept", "doubts.proposed.toml", "--who", '李雷 "Li"', *more)

    def test_the_lines_are_appended_signed_and_in_force(self, proposed: Path) -> None:
        file = proposed / "fairtrial.toml"
        before = file.read_bytes()
        said = self.accept("--json")
        assert said.code == 0
        assert said.document["status"] == "accepted"
        assert len(said.document["tables"]) == 7
        after = file.read_bytes()
        assert after.startswith(before)
        line = tomllib.loads(after.decode())["doubts"]["sets"]["问题集"]["full"]["useful_falls"]
        assert line["who"] == '李雷 "Li"'
        assert line["why"].startswith("from 4 rounds of 120 cases")
        from fairtrial.app.config import load_project

        limits = load_project().doubts.resolve("问题集", "full")
        assert limits.lines["useful_falls"].threshold == pytest.approx(line["threshold"])
        assert [loose.line for loose in limits.loosenings] == ["useful_falls"]

    @pytest.mark.parametrize(("language", "told"), [("en", "added to {}:"), ("zh", "已写入 {}：")])
    def test_the_file_is_named_above_what_was_added(
        self, proposed: Path, language: str, told: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FAIRTRIAL_LANG", language)
        first, *tables = self.accept().out.splitlines()
        assert first == told.format("fairtrial.toml")
        assert len(tables) == 7
        assert tables[0] == '[doubts.sets."问题集".full.few_cases]'

    def test_lines_left_out_are_left_out(self, proposed: Path) -> None:
        text = (proposed / "doubts.proposed.toml").read_text("utf-8")
        kept = text.split("\n\n")[2]
        (proposed / "doubts.proposed.toml").write_text(kept + "\n", "utf-8")
        assert self.accept("--json").document["tables"] == ['doubts.sets."问题集".full.too_good']

    def test_a_table_that_is_there_stops_it(self, proposed: Path) -> None:
        assert self.accept().code == 0
        before = (proposed / "fairtrial.toml").read_bytes()
        said = self.accept()
        assert said.code == 2
        assert 'fairtrial.toml: [doubts.sets."问题集".full.few_cases] is there already' in said.complaint
        assert (proposed / "fairtrial.toml").read_bytes() == before

    @pytest.mark.parametrize(
        "there", ["doubts = {too_good = 0.9}\n", '[doubts.sets]\n"问题集" = {preset = "regression"}\n']
    )
    def test_tables_that_cannot_be_added_to_are_not(self, proposed: Path, there: str) -> None:
        (proposed / "fairtrial.toml").write_text(there, "utf-8")
        said = self.accept()
        assert said.code == 2
        assert "the lines cannot be added to this file" in said.complaint
        assert (proposed / "fairtrial.toml").read_text("utf-8") == there

    def test_line_ends_are_kept(self, proposed: Path) -> None:
        file = proposed / "fairtrial.toml"
        file.write_bytes("\ufeff[run]\r\nseed = 3".encode())
        assert self.accept().code == 0
        after = file.read_bytes()
        assert after.startswith("\ufeff[run]\r\nseed = 3\r\n\r\n[doubts".encode())
        assert after.count(b"\n") == after.count(b"\r\n")

    def test_complaints(self, proposed: Path) -> None:
        said = fairtrial("calibrate", "--accept", "doubts.proposed.toml")
        assert (said.code, "--who: somebody must put a name to it" in said.complaint) == (2, True)
        for text in (
            "",
            "[run]\nseed = 1\n",
            "[doubts]\npreset = 'regression'\n",
            "[doubts\n",
            "[doubts]\nno_line = 3\n",
            "[doubts]\nfew_cases = 30\n",
            "[doubts.full]\n",
            "[doubts.full.jump]\nthreshold = 0.1\n",
            "[doubts.full.jump]\nthreshold = 0.1\nwhy = 'x'\nforbids = false\n",
            "[run]\nseed = 1\n[doubts.full.jump]\nthreshold = 0.1\nwhy = 'x'\n",
        ):
            (proposed / "bad.toml").write_text(text)
            said = fairtrial("calibrate", "--accept", "bad.toml", "--who", "me")
            assert said.code == 2, text
            assert "bad.toml: not a proposal of thresholds" in said.complaint
        assert fairtrial("calibrate", "--accept", "nowhere.toml", "--who", "me").code == 2
        (proposed / "fairtrial.toml").unlink()
        assert "fairtrial init" in self.accept().complaint
