"""The pytest plugin. It loads fairtrial only where a test asks for it: other runs start as fast as ever."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fairtrial.app.examine import Room, Spec
    from fairtrial.app.examine_cases import Quest
    from fairtrial.app.examine_log import Concluded
    from fairtrial.app.examine_session import Intent, Session
    from fairtrial.app.examine_trials import Examined, Examiner
    from fairtrial.schema.evidence import Header

_NO_ANSWER = ("fairtrial", "no answer")
"""The property, in junitxml too, of a test whose agent gave no answer."""
_WHOLE = ("fairtrial", "whole")
"""The property of the verdict on a whole set, or on all sessions."""
_TOGETHER = ("no", "each", "loadscope", "loadfile")
"""How pytest-xdist spreads tests where those of a class or module stay in one worker."""
_MARK = (
    "fairtrial(cases, trials=3, probes=[], passes='8 of 10', minimum=0.8, reliable=False): "
    "ask an agent these cases, each as a test"
)


class _Run:
    """What a process knows of the run; nothing of fairtrial is loaded before a test needs it."""

    def __init__(self, config: pytest.Config) -> None:
        given: dict[str, Any] = getattr(config, "workerinput", {})
        self.config, self.worker = config, bool(given)
        self.shared = given.get("fairtrial") or {
            "folder": str(Path(tempfile.gettempdir(), f"fairtrial-{secrets.token_hex(8)}")),
            "dist": config.getoption("dist", "no"),
        }
        self.folder = Path(self.shared["folder"])  # of all processes, made when it is needed
        self.taken: dict[str, Any] = {}
        self.wanted: list[Quest] = []
        self.concluded: tuple[Path, Header, tuple[Concluded, ...]] | None = None
        self.whole = False
        self.heard: set[bool] = set()
        self._room: Room | None = None
        self._examiners: dict[str, Examiner] = {}

    @property
    def started(self) -> bool:
        """Whether anybody may have been asked, by whichever process."""
        return self.folder.exists()

    def room(self) -> Room:
        if self._room is None:
            from fairtrial.app.examine import Room

            self.folder.mkdir(mode=0o700, exist_ok=True)
            config, get = self.config, self.config.getini
            named = config.getoption("fairtrial_config")
            file = config.invocation_params.dir / named if named else None
            if file is None and get("fairtrial_config"):
                file = config.rootpath / get("fairtrial_config")
            self._room = Room(
                root=config.rootpath,
                folder=self.folder,
                config=file,
                concurrency=_number(int, "fairtrial_concurrency", get("fairtrial_concurrency")) or 8,
                timeout=_number(float, "fairtrial_timeout", get("fairtrial_timeout")),
            )
        return self._room

    def examiner(self, spec: Spec) -> Examiner:
        """Who asks the cases; its log is of one agent."""
        asked = self.room().agent(spec)
        key = asked.config.model_dump_json()
        if key not in self._examiners:
            from fairtrial.app.examine_trials import Examiner

            self._examiners[key] = Examiner(self.room(), asked, self.wanted)
        return self._examiners[key]

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note, over all workers, whether sessions were answered."""
        if (heard := getattr(report, "fairtrial_heard", None)) is not None:
            self.heard.add(heard)

    def conclude(self) -> None:
        """Make the log of all that was asked, once."""
        if self.concluded is None and not self.worker and self.started:
            from fairtrial.app.examine_log import conclude

            with _one_line(pytest.UsageError):
                self.concluded = conclude(self.folder)

    def close(self) -> None:
        for examiner in self._examiners.values():
            examiner.close()
        if self._room is not None:
            self._room.close()
        if not self.worker:
            shutil.rmtree(self.folder, ignore_errors=True)


_RUN = pytest.StashKey[_Run]()


def _number(kind: type[Any], name: str, text: str) -> Any:
    """A setting above 0, None where it is not set."""
    try:
        value = kind(text) if text else None
    except ValueError:
        value = 0
    if value is not None and not value > 0:
        raise pytest.UsageError(f"{name} is a number above 0, not {text!r}")
    return value


@contextmanager
def _one_line(refusal: Callable[[str], BaseException]) -> Iterator[None]:
    """Say what is wrong with the input in its one line, without our own stack."""
    from fairtrial.errors import FairtrialError

    try:
        yield
    except FairtrialError as error:
        raise refusal(str(error)) from None


def _failed(text: str) -> BaseException:
    return pytest.fail.Exception(text, pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option and the settings."""
    parser.getgroup("fairtrial").addoption(
        "--fairtrial-config", metavar="FILE", help="the fairtrial.toml of this run"
    )
    parser.addini("fairtrial_config", "the fairtrial.toml, from the rootdir (default: there)", default="")
    parser.addini("fairtrial_concurrency", "sessions at once, over all workers (default: 8)", default="")
    parser.addini("fairtrial_timeout", "seconds a session (default: those of fairtrial.toml)", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line("markers", _MARK)
    config.stash[_RUN] = run = _Run(config)
    config.pluginmanager.register(run, "fairtrial-run")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let go of agents and files."""
    if _RUN in config.stash:
        config.stash[_RUN].close()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker of pytest-xdist what it shares with the others."""
    node.workerinput["fairtrial"] = node.config.stash[_RUN].shared


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each case that the mark names, and one of it under each probe."""
    mark = metafunc.definition.get_closest_marker("fairtrial")
    if mark is None:
        return
    from fairtrial.app.examine_cases import quests, read_mark

    run, test = metafunc.config.stash[_RUN], metafunc.definition.nodeid
    with _one_line(pytest.Collector.CollectError):
        read = read_mark(test, mark.args, mark.kwargs)
        found = list(quests(test, read, metafunc.definition.path.parent, run.room().project, run.taken))
    if "examined" not in metafunc.fixturenames:
        metafunc.fixturenames.append("examined")
    metafunc.parametrize("examined", found, indirect=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    """A case is asked though the test's own body may not look at it."""
    if isinstance(item, pytest.Function) and _quest(item) and "examined" not in item.fixturenames:
        item.fixturenames.append("examined")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A test is called like its case, in its own letters."""
    return val.case.id if argname == "examined" and hasattr(val, "case") else None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take note of all cases that will be asked. Each is asked by one test."""
    run = session.config.stash[_RUN]
    asked: set[int] = set()
    for item in session.items:
        if (quest := _quest(item)) is not None:
            if id(quest) in asked:
                raise pytest.UsageError(
                    f"{quest.test}: marked fairtrial, it has its cases for parameters alone"
                )
            asked.add(id(quest))
            run.wanted.append(quest)


def _quest(item: pytest.Item) -> Quest | None:
    spec = getattr(item, "callspec", None)
    if spec is None or item.get_closest_marker("fairtrial") is None:
        return None
    return spec.params.get("examined")  # type: ignore[no-any-return]


@pytest.fixture(scope="session")
def fairtrial_agent() -> Spec:
    """Whom to ask: a text as on the command line, a table as [agent]; None: the one of fairtrial.toml."""
    return None


@pytest.fixture(scope="session")
def fairtrial_intent() -> Intent:
    """How to tell from a turn what the agent took the user to want: by the `intent` of its state."""
    from fairtrial.app.examine_session import stated_intent

    return stated_intent


@pytest.fixture
def examined(request: pytest.FixtureRequest, fairtrial_agent: Spec) -> Examined:
    """The case of this test after its trials: case, records, scores, passes."""
    quest: Quest | None = getattr(request, "param", None)
    if quest is None:
        pytest.fail("`examined` is for tests marked fairtrial", pytrace=False)
    if quest.unfit:
        pytest.skip(quest.unfit)
    with _one_line(_failed):
        examiner = request.config.stash[_RUN].examiner(fairtrial_agent)
        if lacking := examiner.lacks(quest):
            pytest.skip(f"the agent does not offer what the probe needs: {lacking}")
        return examiner.examine(quest)


@pytest.fixture
def agent_session(
    request: pytest.FixtureRequest, fairtrial_agent: Spec, fairtrial_intent: Intent
) -> Iterator[Session]:
    """A session of this test's own."""
    session = _open(request.config, fairtrial_agent, request.node.nodeid, fairtrial_intent)
    request.node.stash[_SESSION] = session
    yield session
    session.close()


@pytest.fixture
def long_agent_session(
    request: pytest.FixtureRequest,
    _long_sessions: dict[str, Session],
    fairtrial_agent: Spec,
    fairtrial_intent: Intent,
) -> Session:
    """A session that goes on from test to test of a class; outside of one, of the module."""
    owner = _owner(request.node)
    if request.config.stash[_RUN].shared["dist"] not in _TOGETHER and _scattered(request.node, owner):
        raise _failed(f"the tests of one long session need one worker: --dist loadscope ({owner.nodeid})")
    name = f"{owner.nodeid} long"
    if name not in _long_sessions:
        _long_sessions[name] = _open(request.config, fairtrial_agent, name, fairtrial_intent)
    request.node.stash[_SESSION] = _long_sessions[name]
    return _long_sessions[name]


def _owner(item: Any) -> Any:
    return item.getparent(pytest.Class) or item.getparent(pytest.Module)


def _scattered(item: Any, owner: Any) -> bool:
    """Whether other tests go on with its session, and may do so in other workers."""
    sharing = [
        one for one in item.session.items
        if "long_agent_session" in getattr(one, "fixturenames", ()) and _owner(one) is owner
    ]  # fmt: skip
    return len(sharing) > 1 and not all(one.get_closest_marker("xdist_group") for one in sharing)


@pytest.fixture(scope="module")
def _long_sessions() -> Iterator[dict[str, Session]]:
    sessions: dict[str, Session] = {}
    yield sessions
    for session in sessions.values():
        session.close()


_SESSION = pytest.StashKey["Session"]()


def _open(config: pytest.Config, spec: Spec, name: str, intent: Intent) -> Session:
    from fairtrial.app.examine_session import Session

    with _one_line(_failed):
        room = config.stash[_RUN].room()
        return Session(room, room.agent(spec), name, intent)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Judge a case before the test's own body does."""
    if _quest(pyfuncitem) is not None:
        _judge(pyfuncitem.funcargs["examined"], pyfuncitem.config)
    return (yield)


def _judge(found: Any, config: pytest.Config) -> None:
    if found.verdict:
        return
    from fairtrial.app.examine_session import NoAnswer
    from fairtrial.report.examined import missed, unanswered

    if found.verdict is None:
        raise NoAnswer(unanswered(found.records))
    raise _failed(missed(found.rows, found.passes, found.need, _shown(config, found.log)))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A session without an answer is no failure of the test; of one that failed, show what was said."""
    report = yield
    session = item.stash.get(_SESSION, None)
    if session is None and _quest(item) is None:
        return report
    from fairtrial.app.examine_session import NoAnswer
    from fairtrial.report.examined import transcript

    silent = call.excinfo is not None and call.excinfo.errisinstance(NoAnswer)
    if session is not None and report.when == "call":
        vars(report)["fairtrial_heard"] = not silent
    if silent and call.excinfo is not None:
        item.user_properties.append(_NO_ANSWER)
        report.user_properties.append(_NO_ANSWER)
        report.outcome = "skipped"
        path, line, _ = item.location
        report.longrepr = (path, (line or 0) + 1, f"Skipped: no answer: {call.excinfo.value}")
        vars(report).pop("wasxfail", None)
    elif session is not None and report.failed:
        report.sections.append(("fairtrial session", transcript(session.turns)))
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: Any) -> tuple[str, str, str] | None:
    """No answer is an outcome of its own."""
    told = [tuple(one) for one in getattr(report, "user_properties", ())]
    if report.outcome == "skipped" and _NO_ANSWER in told:
        return "no answer", "N", "NO ANSWER"
    if _WHOLE in told and report.when == "call":
        return report.outcome, "", report.outcome.upper()  # the line of dots has no place for it
    return None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Make the log when all tests are over, and say what became of each set and of all sessions."""
    result = yield  # a part of a set decides nothing
    run = session.config.stash[_RUN]
    run.conclude()
    run.whole = True
    for one in run.concluded[2] if run.concluded else ():
        if one.asked or one.fails:
            _report(session, f"{one.test}[set]", one.fails)
    if run.heard == {False}:
        from fairtrial.text.language import say

        _report(session, "fairtrial[sessions]", say("no session was answered", "没有一个会话得到回答"))
    return result


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Of a run that was stopped, too, keep what was asked, by now in all workers."""
    result = yield
    session.config.stash[_RUN].conclude()
    return result


def _shown(config: pytest.Config, path: Path) -> str:
    """A path as it is named from where pytest was started."""
    here = config.invocation_params.dir
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _report(session: pytest.Session, test: str, fails: str | None) -> None:
    """A test that nobody wrote: the verdict on a whole set."""
    path, _, name = test.partition("::")
    session.testscollected += 1
    report = pytest.TestReport(
        nodeid=test,
        location=(path, None, name.replace("::", ".")),
        keywords={},
        outcome="failed" if fails else "passed",
        longrepr=fails,
        when="call",
        user_properties=[_WHOLE],
    )
    session.ihook.pytest_runtest_logreport(report=report)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Who gave no answer, and the figures and doubts of the cases that were asked."""
    silent, run = terminalreporter.stats.get("no answer", ()), config.stash[_RUN]
    if not silent and run.concluded is None:
        return
    terminalreporter.section("fairtrial")
    for report in silent:
        terminalreporter.line(f"NO ANSWER {report.nodeid} - {report.longrepr[2].removeprefix('Skipped: ')}")
    if run.concluded is not None:
        from fairtrial.report.examined import summary

        log, header, sets = run.concluded
        told = [(f"{one.test}[set]", one.header, one.fails if run.whole else None) for one in sets]
        for line in summary(_shown(config, log), header, told):
            terminalreporter.line(line)
