"""The walk through: examine the shop's agent for three trials, and read the result as a person should."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from fairtrial.text import language

HERE = Path(__file__).resolve().parent
FAIRTRIAL = [sys.executable, "-m", "fairtrial"]


def say(en: str, zh: str) -> None:
    text = language.say(en, zh)
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n# {text}", flush=True)


def fairtrial(
    *words: str | Path,
    told: bool = True,
    quiet: bool = False,
    cwd: Path | None = None,
    well: tuple[int, ...] = (0,),
) -> str:
    """Run a command as a reader would type it; any exit code but those in `well` ends the demo."""
    if told:
        print("$ fairtrial " + " ".join(str(word) for word in words), flush=True)
    stdout = subprocess.PIPE if quiet else None
    done = subprocess.run([*FAIRTRIAL, *map(str, words)], cwd=cwd, check=False, stdout=stdout)
    if done.returncode not in well:
        sys.exit(f"the demo stopped: exit code {done.returncode}")
    return done.stdout.decode() if quiet else ""


def main() -> None:
    shop = HERE / "shop"
    with tempfile.TemporaryDirectory(prefix="fairtrial-demo-") as folder:
        out = Path(folder)
        say(
            "1. Is the examination sound? Rules, golden samples, and what an agent passes that does nothing.",
            "1. 考卷本身可靠吗？检查规则、金标准样本，以及什么都不做的 Agent 能通过什么。",
        )
        fairtrial("check", "--null", cwd=shop)
        say(
            "2. Ask: every case three times. The agent is a process; it sees the user's words alone.",
            "2. 提问：每个用例三次。Agent 是另一个进程，只看到用户说的话。",
        )
        document = json.loads(fairtrial("run", "--out", out, "--json", quiet=True, cwd=shop, well=(0, 1, 3)))
        say(
            "3. Read: misses first, then hits that help nobody, then the figures with their n.",
            "3. 阅读：先看未命中，再看命中但没用的，最后才看带样本量的汇总指标。",
        )
        fairtrial("show", document["log"])
        missed = json.loads(fairtrial("show", document["log"], "--json", told=False, quiet=True))["misses"]
        say(
            "4. One miss whole: the agent's fault, the rule's or the case's? (`fairtrial mark` keeps it.)",
            "4. 看完整的一次未命中：是 Agent、规则还是用例的错？（用 `fairtrial mark` 记下答案。）",
        )
        fairtrial("show", document["log"], missed[0], "--trial", "1")
        say(
            "5. Interview it: the examiner disturbs sessions, chooses what to try next, shrinks what fails.",
            "5. 面试它：考官给会话加上扰动，按已见到的结果决定接着试什么，并把失败的用例缩到最小。",
        )
        probes = ("masking", "typos", "contradiction", "change_of_mind", "tool_timeout")
        named = [word for probe in probes for word in ("--probe", probe)]
        words = ["probe", "--budget", "800", *named, "--out", out / "probe", "--save", out / "weak.yaml"]
        fairtrial(*words, cwd=shop, well=(1,))
        say(
            "6. Six cases and a correlation of 0.997: figures like these prove nothing, and the log says so.",
            "6. 同样的流程，只有六个样本，相关系数 0.997：这样的数字什么也证明不了，日志会自己说出来。",
        )
        kept = HERE / "self_kept"
        print("$ python exec_agent.py --config config/problems.json --out logs/", flush=True)
        words = ["exec_agent.py", "--config", "config/problems.json", "--out", str(out / "self_kept")]
        done = subprocess.run([sys.executable, *words], cwd=kept, check=False)
        if done.returncode != 3:
            sys.exit(f"the demo stopped: exit code {done.returncode}, and 3 (unreliable) was due")
        say(
            "Next: `fairtrial init my-project` writes a project to start from; README.md goes on from here.",
            "下一步：`fairtrial init my-project` 会写好一个可运行的项目；详见 README.zh.md。",
        )


if __name__ == "__main__":
    main()
