"""The page's files: what is sent, to whom, and with which headers."""

import gzip
import json
import re
from pathlib import Path

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Response

from cellrace_server.gateway.assets import WORKER_PATH, Assets

BROWSER = Headers([("Accept", "text/html,*/*;q=0.8"), ("Accept-Encoding", "gzip, deflate, br")])
PROGRAM = Headers([("Accept", "*/*")])
SCRIPT = "console.log('the same again and again');\n" * 20


@pytest.fixture
def assets(tmp_path: Path) -> Assets:
    (tmp_path / "views").mkdir()
    (tmp_path / "index.html").write_text(
        f"<!doctype html><head><script src=%BASE%main.js></script>{'<p>' * 50}"
    )
    (tmp_path / "main.js").write_text(f'import {{ board }} from "./views/board.js";\n{SCRIPT}')
    (tmp_path / "views" / "board.js").write_text("export const board = 1;\n")
    (tmp_path / "service-worker.js").write_text(f'const FILES = "%FILES%";{" " * 100}')
    (tmp_path / "secret.py").write_text("TOKEN = 1")
    return Assets(tmp_path)


def answered(assets: Assets, path: str, headers: Headers = BROWSER, method: str = "GET") -> Response:
    response = assets.answer(path, method, headers)
    assert response is not None, path
    return response


@pytest.mark.parametrize(
    "path", ["/", "/r/kbjueza", "/r/KBJ-UEZA", "/R/kbjueza/", "/g/kbjueza-0", "/G/KBJUEZA-0/"]
)
def test_people_see_the_page_and_programs_what_they_saw_before(assets: Assets, path: str) -> None:
    page = answered(assets, path)
    assert gzip.decompress(page.body).startswith(b"<!doctype html>")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Cache-Control"] == "no-cache"
    assert assets.answer(path, "GET", PROGRAM) is None


@pytest.mark.parametrize("path", ["/healthz", "/metrics", "/web/main.js", "/api/v1/openapi.json", "/ws"])
def test_other_paths_are_not_the_pages(assets: Assets, path: str) -> None:
    assert assets.answer(path, "GET", BROWSER) is None


@pytest.mark.parametrize("path", ["/r/", "/g/x", "/x/r/kbjueza", "/nonsense", "/r/kbjueza/more"])
def test_people_who_are_lost_see_the_page_which_knows_the_way_home(assets: Assets, path: str) -> None:
    tag = answered(assets, "/").headers["ETag"]
    page = answered(assets, path, Headers([*BROWSER.raw_items(), ("If-None-Match", tag)]))
    assert page.status_code == 404
    assert gzip.decompress(page.body).startswith(b"<!doctype html>")
    assert assets.answer(path, "GET", PROGRAM) is None


def test_only_what_belongs_to_the_page_is_served(assets: Assets) -> None:
    assert assets.answer(f"{assets.base}secret.py", "GET", BROWSER) is None
    assert assets.answer(f"{assets.base}../secret.py", "GET", BROWSER) is None
    assert assets.answer(f"{assets.base}service-worker.js", "GET", BROWSER) is None


def test_the_page_names_its_parts_by_paths_that_never_change(assets: Assets, tmp_path: Path) -> None:
    page = gzip.decompress(answered(assets, "/").body).decode()
    assert f"src={assets.base}main.js" in page
    part = answered(assets, f"{assets.base}main.js")
    assert SCRIPT in gzip.decompress(part.body).decode()
    assert "immutable" in part.headers["Cache-Control"]
    assert assets.is_part(f"{assets.base}main.js")
    assert not assets.is_part("/")
    (tmp_path / "main.js").write_text("// another")
    assert Assets(tmp_path).base != assets.base


def test_what_the_page_begins_with_has_all_that_it_imports_in_it(assets: Assets) -> None:
    whole = gzip.decompress(answered(assets, f"{assets.base}main.js").body).decode()
    assert "const board = 1;" in whole
    assert "import {" not in whole
    alone = answered(assets, f"{assets.base}views/board.js")
    assert alone.body == b"export const board = 1;\n"


def test_the_worker_knows_what_to_keep(assets: Assets) -> None:
    """Nothing twice: what is within another file is not kept once more."""
    worker = gzip.decompress(answered(assets, WORKER_PATH).body).decode()
    assert f"= {json.dumps([f'{assets.base}main.js'])};" in worker


def test_bytes_are_packed_where_that_helps_and_is_asked_for(assets: Assets) -> None:
    path = f"{assets.base}main.js"
    assert answered(assets, path).headers["Content-Encoding"] == "gzip"
    for said in ("", "identity", "gzip;q=0", "br"):
        plain = answered(assets, path, Headers([("Accept-Encoding", said)]))
        assert SCRIPT in plain.body.decode()
        assert "Content-Encoding" not in plain.headers
    assert "Content-Encoding" not in answered(assets, f"{assets.base}views/board.js").headers


def test_what_one_has_is_not_sent_again(assets: Assets) -> None:
    first = answered(assets, "/")
    known = Headers([*BROWSER.raw_items(), ("If-None-Match", f'"other", {first.headers["ETag"]}')])
    again = answered(assets, "/", known)
    assert (again.status_code, again.body) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    plain = answered(assets, f"{assets.base}main.js", PROGRAM)
    assert plain.headers["ETag"] != answered(assets, f"{assets.base}main.js").headers["ETag"]


def test_head_has_no_body_and_other_methods_are_refused(assets: Assets) -> None:
    head, get = answered(assets, "/", method="HEAD"), answered(assets, "/")
    assert (head.status_code, head.body) == (200, b"")
    assert head.headers["Content-Length"] == get.headers["Content-Length"]
    assert answered(assets, "/", method="POST").status_code == 405


def test_nothing_foreign_runs_on_the_page(assets: Assets) -> None:
    headers = answered(assets, "/").headers
    policy = headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_the_real_page_has_nothing_inline_and_is_light() -> None:
    assets = Assets()
    page = gzip.decompress(answered(assets, "/").body).decode()
    assert "%" not in page.partition("</head>")[0]
    assert "style=" not in page
    assert " onclick" not in page
    assert page.count("<script") == page.count('<script type="module" blocking="render" src=')
    assert assets.bytes_packed <= 133 * 1024, (
        "150 are allowed for a first visit, which does not take all of it"
    )


def test_a_board_needs_one_style_sheet_and_one_module() -> None:
    """What else there is comes later, and only where it is asked for: each request is a connection of its own."""
    assets = Assets()
    page = gzip.decompress(answered(assets, "/").body).decode()
    asked = re.findall(
        r'<(?:link rel="(?:stylesheet|modulepreload|preload)"|script)[^>]*(?:href|src)="([^"]+)', page
    )
    assert asked == [f"{assets.base}style/main.css", f"{assets.base}main.js"]
    for path in asked:
        text = gzip.decompress(answered(assets, path).body).decode()
        assert not re.search(r"^(?:@?import|export)\b", text, re.MULTILINE), path
    main = gzip.decompress(answered(assets, asked[1]).body).decode()
    later = set(re.findall(r'=> import\("\./([^"]+)"\)', main))
    assert later == {f"languages/{other}.js" for other in ("fr", "it", "nl", "uk")}
