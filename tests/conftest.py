"""What all tests share: hypothesis profiles, and tests that need a program from outside."""

import gc
import os
import shutil
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from cellrace_client.identities import HOME

REQUIRE_TOOLS = "TESTS_REQUIRE_TOOLS"

settings.register_profile(
    "default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# A shell has what it starts in the background deaf to Ctrl-C, and so are the programs that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    """Whoever runs the tests may have played here, and has an identity that is theirs alone."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(HOME, str(tmp_path_factory.mktemp("home")))
        yield


# What is collected stays to the end. To look through it for garbage, again and again, costs a tenth of a whole run.
gc.disable()


def pytest_collection_finish() -> None:
    """Leave what is there now out of every later look."""
    gc.enable()
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is missing; where all programs are promised, that is a failure."""
    for marker in item.iter_markers("tool"):
        name = str(marker.args[0])
        if shutil.which(name) is not None:
            continue
        hint = f"{name} is not on PATH: install the Debian package {marker.kwargs.get('package', name)}"
        if os.environ.get(REQUIRE_TOOLS):
            pytest.fail(hint, pytrace=False)
        pytest.skip(hint)
