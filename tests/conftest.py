"""What all tests share: where the real data lies, and a language that does not depend on the machine."""

import os
import signal
import warnings
from pathlib import Path

import pytest

# A suite started in the background inherits an ignored Ctrl-C, and so would the programs that it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["pytester"]

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "en")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data; a test that needs it is skipped, loudly, where there is none."""
    folder = Path(os.environ.get("FAIRTRIAL_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        warnings.filterwarnings("default", message="REAL DATA ABSENT")
        message = f"REAL DATA ABSENT: no {folder}; set FAIRTRIAL_DATA. Figures of real runs are NOT checked."
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    return folder
