"""Where settings come from, which wins, and what is said when they are wrong."""

import json
import logging
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from cellrace_server import cli, logs
from cellrace_server.settings import FIELDS, Faults, Settings, read


def test_without_anything_the_defaults_hold() -> None:
    (settings, origins), print_config = read([], {})
    assert settings == Settings()
    assert set(origins.values()) == {"default"}
    assert not print_config


def test_flags_win_over_variables_over_the_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "cellrace.toml"
    file.write_text('port = 1\nhost = "file"\nseats_most = 1\n')
    environment = {"CELLRACE_CONFIG": str(file), "CELLRACE_PORT": "2", "CELLRACE_HOST": "variable"}
    settings, origins = read(["--port", "3"], environment).resolved
    assert (settings.port, settings.host, settings.seats_most) == (3, "variable", 1)
    assert origins["port"] == "flag"
    assert origins["host"] == "CELLRACE_HOST"
    assert origins["seats_most"] == str(file)
    assert origins["redis"] == "default"


def test_the_customary_variable_names_the_store_unless_ours_does() -> None:
    customary = {"REDIS_URL": "redis://a/0"}
    assert read([], customary).resolved.settings.redis == "redis://a/0"
    assert read([], {**customary, "CELLRACE_REDIS": ""}).resolved.settings.redis == ""
    assert read([], {"REDIS_URL": ""}).resolved.settings.redis == ""


def test_lists_come_from_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('origins = ["https://a", "https://b"]')
    expected = ("https://a", "https://b")
    assert read(["--config", str(file)], {}).resolved.settings.origins == expected
    assert read([], {"CELLRACE_ORIGINS": "https://a https://b"}).resolved.settings.origins == expected
    assert read(["--origins", *expected], {}).resolved.settings.origins == expected


def test_numbers_have_an_end() -> None:
    """What is too large for the store, or for anybody, is no setting."""
    for name, field in FIELDS.items():
        if int in (field.type, getattr(field.type, "__origin__", None)):
            with pytest.raises(Faults, match=name):
                read([f"--{name.replace('_', '-')}", "9223372036854775"], {})


def test_replicas_are_those_of_a_store_that_is_named() -> None:
    with pytest.raises(Faults, match="the embedded store has none"):
        read(["--replicas", "1"], {})
    assert read(["--replicas", "1", "--redis", "redis://a"], {}).resolved.settings.replicas == 1


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text('colour = "blue"\nhost = 5\n')
    environment = {"CELLRACE_PORT": "http", "CELLRACE_PROT": "1"}
    with pytest.raises(Faults) as caught:
        read(
            ["--config", str(file), "--replicas", "-1", "--redis", "http://x", "--log-level", "loud"],
            environment,
        )
    faults = "\n".join(caught.value.faults)
    for word in ("colour", "host = 5", "CELLRACE_PROT", "port = 'http'", "replicas", "http://x", "loud"):
        assert word in faults


@pytest.mark.parametrize("text", ["port = ", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, text: str | bytes) -> None:
    file = tmp_path / "c.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(Faults, match="not TOML"):
        read(["--config", str(file)], {})
    with pytest.raises(Faults, match="No such file"):
        read(["--config", str(tmp_path / "none.toml")], {})


def test_printed_settings_are_toml_with_origins_and_without_passwords(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["--print-config", "--redis", "rediss://me:secret@host:1/0", "--port", "0"]) == 0
    printed = capsys.readouterr().out
    assert "secret" not in printed
    assert "port = 0  # flag" in printed
    assert tomllib.loads(printed).keys() == FIELDS.keys()


def test_wrong_settings_end_with_a_word_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--port", "70000", "--replicas", "x"]) == cli.EXIT_USAGE
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_logs_for_machines_are_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logs.set_up("info", "auto")
        try:
            raise ValueError("broken")
        except ValueError:
            logging.getLogger("cellrace").exception("a %s", "fault")
    finally:
        root.handlers[:], root.level = handlers, level
    entry = json.loads(capsys.readouterr().err)
    assert (entry["level"], entry["logger"], entry["message"]) == ("error", "cellrace", "a fault")
    assert "ValueError: broken" in entry["exception"]
    assert entry["at"].endswith("+00:00")


SECRET_URLS = [
    "http://:S3CRET@h",
    "redis://:S3CRET@h/abc",
    "redis://:S3/S3CRET@h/0",
    "redis://S3CRET:x@h/0?db=abc",
    "redis://h/0?password=S3CRET&foo=bar",
    "redis://h/0?username=S3CRET&db=x",
    "redis://h/0?password=a@S3CRET",
    "redis://h/0?password=a&S3CRET&db=x",
    "redis://user:S3CRET",
    "redis://:a?b@S3CRET",
    ":S3CRET@h",
    "S3CRET",
]


@pytest.mark.parametrize("flags", [["--nonsense"], ["--port"], ["nonsense"]])
def test_wrong_usage_has_its_status(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(flags)
    assert ended.value.code == cli.EXIT_USAGE
    assert capsys.readouterr().err.startswith("usage: cellrace-server")


@pytest.mark.parametrize("url", SECRET_URLS)
def test_no_password_is_printed_whatever_is_wrong_with_the_url(
    url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.main(["--redis", url, "--port", "0", "--data-dir", str(tmp_path)]) in (
        cli.EXIT_USAGE,
        cli.EXIT_CANNOT_START,
    )
    assert cli.main(["--redis", url, "--print-config"]) in (0, cli.EXIT_USAGE)
    if "://" in url:  # what else is repeated of flags that do not exist cannot be told from other words
        with suppress(SystemExit):
            cli.main(["--redis-url", url])
    assert "S3CRET" not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--redis", "redis://h/0?foo=bar"], "a parameter of the store's URL is unknown"),
        (["--redis", "redis://a..b/0"], "cannot be read"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(
    flags: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*flags, "--port", "0"]) == cli.EXIT_CANNOT_START
    printed = capsys.readouterr().err
    assert why in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize("name", ["admin_socket", "data_dir"])
def test_a_path_with_a_zero_character_is_a_mistake(tmp_path: Path, name: str) -> None:
    file = tmp_path / "c.toml"
    file.write_text(f'{name} = "a\\u0000b"')
    with pytest.raises(Faults, match="without zero characters"):
        read(["--config", str(file)], {})


@pytest.mark.parametrize("word", ["", "!!", " ", "_-_"])
def test_a_blocked_name_that_would_refuse_every_name_is_a_mistake(word: str) -> None:
    with pytest.raises(Faults, match="would refuse every name"):
        read(["--blocked-names", "fine", word], {})


@pytest.mark.parametrize("host", ["a..b", "a" * 70])
def test_a_host_that_has_no_name_of_a_host_is_a_mistake(host: str) -> None:
    with pytest.raises(Faults, match="the name of a host is expected"):
        read(["--host", host], {})
    for usable in ("localhost", "::", "10.0.0.1", "müller.example"):
        assert read(["--host", usable], {}).resolved.settings.host == usable
