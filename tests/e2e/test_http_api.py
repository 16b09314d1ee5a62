"""What a real server says over HTTP as JSON: every page, against its own description, and what all pages share."""

import asyncio
import json
from typing import Any

import pytest

from cellrace_client import Client, Kind, connect
from cellrace_client.boards import BoardQuery
from cellrace_engine.replay import from_json, verify
from cellrace_protocol.api import PAGES, ROOT
from tests.support.plain_http import Answer, fetch
from tests.support.server_process import ServerProcess
from tests.support.winning import won

pytestmark = pytest.mark.asyncio

WITHIN = 60
TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
}


def faults(value: Any, schema: dict[str, Any], components: dict[str, Any], at: str = "$") -> list[str]:
    """Where a value is not as its schema has it."""
    if "$ref" in schema:
        return faults(value, components[schema["$ref"].rsplit("/", 1)[-1]], components, at)
    if "enum" in schema and value not in schema["enum"]:
        return [f"{at}: {value!r} is none of {schema['enum']}"]
    kind = schema.get("type")
    if kind is not None and not isinstance(value, TYPES[kind]):
        return [f"{at}: {value!r} is no {kind}"]
    if kind == "object" and "properties" in schema:
        names = schema["properties"]
        found = [f"{at}: {sorted(value)} instead of {sorted(names)}"] if set(value) != set(names) else []
        return found + [
            fault
            for name in names
            for fault in faults(value.get(name), names[name], components, f"{at}.{name}")
        ]
    if kind == "array":
        items = schema.get("items", {})
        return [
            fault
            for index, each in enumerate(value)
            for fault in faults(each, items, components, f"{at}[{index}]")
        ]
    return []


async def alone(client: Client, deal: str) -> str:
    """A finished run on a deal, when its board has it."""
    race = await client.create(deal, seats=1, countdown_ms=0)
    race.ready()
    await won(race)
    while not any(row.run == f"{race.id}-0" for row in (await client.runs()).rows):  # noqa: ASYNC110 - booked in a moment
        await asyncio.sleep(0.02)
    return f"{race.id}-0"


@pytest.fixture
def site(server: ServerProcess) -> "Site":
    return Site(server.port)


class Site:
    """The JSON pages of a server."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        return await fetch(self._port, ROOT + path, method, **headers)

    async def found(self, path: str) -> Any:
        """The document at a path, as its page describes it."""
        contract = (await self.get("/openapi.json")).json
        answer = await self.get(path)
        assert answer.status == 200, (path, answer)
        words = path.partition("?")[0].split("/")
        (described,) = [
            said["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            for name, said in contract["paths"].items()
            if len(names := name.split("/")) == len(words)
            and all(one in (other, f"{{{one[1:-1]}}}") for one, other in zip(names, words, strict=True))
        ]
        assert faults(answer.json, described, contract["components"]["schemas"]) == []
        return answer.json


async def test_every_page_says_what_the_protocol_says(server: ServerProcess, site: Site) -> None:
    async with (
        asyncio.timeout(WITHIN),
        connect(server.url, name="Ada") as ada,
        connect(server.url, name="Grace", kind=Kind.BOT) as grace,
    ):
        ours = [await alone(ada, "617"), await alone(ada, "618")]
        theirs = await alone(grace, "617")
        board = await site.found("/boards?deal=617")
        (row,) = (await ada.board(BoardQuery("617"))).rows
        assert board["rows"] == [
            {name: getattr(row, name) for name in row.__struct_fields__} | {"deal": "FC1-C4-AAAAATJ"}
        ]
        assert (board["deal"], board["total"], board["next"], board["mine"]) == ("FC1-C4-AAAAATJ", 1, "", [])
        assert [each["run"] for each in (await site.found("/boards?deal=617&kind=bot"))["rows"]] == [theirs]
        mine = await site.found("/boards?deal=617&player=ADA&around=true&by=moves&sight=first")
        assert mine["mine"] == mine["rows"]
        for query in ("scope=day", "scope=week&day=2026-11-30", "scope=ever&sight=practised"):
            empty = await site.found(f"/boards?{query}")
            assert (empty["total"], empty["rows"], empty["deal"]) == (0, [], "")
        assert (await site.found("/boards?scope=week&day=2026-12-02"))["day"] == "2026-11-30"

        profile = await site.found("/players/ada")
        assert (profile["player"], profile["races"], profile["wins"], profile["runs"]) == (
            ada.player,
            2,
            0,
            2,
        )
        assert profile == await site.found(f"/players/{ada.player}?history=5")
        whole = await site.found("/players/Ada/runs?limit=1")
        assert (whole["total"], [each["run"] for each in whole["rows"]]) == (2, [ours[1]])
        rest = await site.found(whole["next"].removeprefix(ROOT))
        assert ([each["run"] for each in rest["rows"]], rest["next"]) == ([ours[0]], "")
        assert (await site.found("/ratings?rules=pocket&kind=bot"))["rows"] == []

        document = await site.get(f"/replays/{ours[0]}")
        assert document.body == await ada.replay(ours[0])
        assert verify(from_json(document.body)).failure is None
        assert document.header("Content-Disposition") == ""
        kept = await site.get(f"/replays/{ours[0]}?download=true")
        assert kept.header("Content-Disposition") == f'attachment; filename="cellrace-{ours[0]}.json"'
        assert (kept.body, kept.header("ETag")) == (document.body, document.header("ETag"))


async def test_only_public_races_are_listed(server: ServerProcess, site: Site) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        public = await ada.create("617", seats=2)
        hidden = await ada.create("618", seats=2, public=False)
        page = await site.found("/races")
        assert [row["race"] for row in page["rows"]] == [public.id]
        assert (page["rows"][0]["players"], page["rows"][0]["phase"]) == (["Ada"], "lobby")
        assert hidden.id not in (await site.get("/races?order=watched&limit=100")).body
        assert "AAAAATJ" not in (await site.get("/races")).body
        assert (await site.found("/races?offset=1"))["rows"] == []


async def test_dailies_are_promised_and_nothing_of_today_is_shown(server: ServerProcess, site: Site) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        await server.dailies_chosen()
        page = await site.found("/dailies")
        said = (await ada.dailies.today()).rows
        assert [each["commitment"] for each in page["today"]] == [row.commitment for row in said]
        assert [each["commitment"] for each in page["tomorrow"]] == [row.next_commitment for row in said]
        assert {(each["deal"], each["salt"]) for each in page["today"] + page["tomorrow"]} == {("", "")}
        assert (await site.found(f"/dailies/{page['day']}"))["dailies"] == page["today"]
        race = await ada.dailies.play()
        await won(race)
        while not (await site.get(f"/dailies/{page['day']}/board")).json["rows"]:  # noqa: ASYNC110 - booked in a moment
            await asyncio.sleep(0.02)
        model = await race.until(lambda _: True)
        run = f"{race.id}-0"
        pages = [
            f"/dailies/{page['day']}/board",
            f"/dailies/{page['day']}/board?player=Ada&around=true",
            "/dailies",
            f"/dailies/{page['day']}",
            "/players/Ada",
            "/players/Ada/runs",
            "/boards?scope=ever",
            "/races",
        ]
        for path in pages:
            document = json.dumps(await site.found(path))
            assert model.deal not in document, path
            assert model.salt not in document, path
        (row,) = (await site.found("/players/Ada/runs"))["rows"]
        assert (row["run"], row["deal"]) == (run, "")
        assert (await site.found(f"/boards?deal={model.deal}"))["total"] == 0
        refused = await site.get(f"/replays/{run}")
        assert (refused.status, refused.json["code"]) == (403, "day_not_over")
        assert refused.header("Cache-Control") == "no-store"
        for day in ("2999-01-01", "1999-01-01", "today", "2026-02-30"):
            assert (await site.get(f"/dailies/{day}")).status == 404


async def test_tags_heads_and_other_origins(server: ServerProcess, site: Site) -> None:
    async with asyncio.timeout(WITHIN), connect(server.url, name="Ada") as ada:
        await alone(ada, "617")
        for path in ("/boards?deal=617", "/openapi.json", "", "/players/Ada", "/races"):
            whole = await site.get(path)
            tag = whole.header("ETag")
            assert whole.status == 200
            assert tag[0] == tag[-1] == '"'
            assert whole.header("Access-Control-Allow-Origin") == "*"
            assert whole.header("Content-Type") == "application/json"
            assert "max-age=" in whole.header("Cache-Control")
            head = await site.get(path, "HEAD")
            assert (head.status, head.body, head.header("ETag")) == (200, "", tag)
            assert head.header("Content-Length") == str(len(whole.body.encode()))
            for asked in (tag, f'"other", {tag}', f"W/{tag}", "*"):
                same = await site.get(path, If_None_Match=asked)
                assert (same.status, same.body, same.header("ETag")) == (304, "", tag), asked
            assert (await site.get(path, If_None_Match='"other"')).status == 200
        tag = (await site.get("/boards?deal=618")).header("ETag")
        await alone(ada, "618")
        assert (await site.get("/boards?deal=618", If_None_Match=tag)).status == 200
        allowed = await site.get("/boards", "OPTIONS", Origin="https://elsewhere.example")
        assert (allowed.status, allowed.body) == (204, "")
        assert allowed.header("Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS"
        assert allowed.header("Access-Control-Allow-Headers") == "If-None-Match"


async def test_problems_are_documents_and_say_what_is_wrong(server: ServerProcess, site: Site) -> None:
    async with asyncio.timeout(WITHIN):
        for path, status, code in (
            ("/nothing", 404, "not_found"),
            ("/boards/617", 404, "not_found"),
            ("/players/nobody", 404, "not_found"),
            ("/players/nobody/runs", 404, "not_found"),
            ("/players/%00%F0", 404, "not_found"),
            ("/replays/kbjueza-0", 404, "not_found"),
            ("/replays/..%2F..%2Fetc", 404, "not_found"),
            ("/boards", 400, "bad_deal"),
            ("/boards?deal=0", 400, "bad_deal"),
            ("/boards?deal=FC1-C2-AAAAATJ", 400, "bad_deal"),
            ("/boards?deal=617&rules=nonsense", 400, "bad_options"),
            ("/boards?scope=day&day=2026-02-30", 400, "bad_options"),
            ("/boards?deal=617&around=true", 400, "bad_options"),
            ("/boards?deal=617&player=nobody", 404, "not_found"),
            ("/boards?deal=617&limit=0", 400, "bad_field"),
            ("/boards?deal=617&deal=618", 400, "bad_field"),
            ("/boards?deal=617&limit=101", 400, "bad_field"),
            ("/boards?deal=617&limit=many", 400, "bad_field"),
            ("/boards?deal=617&offset=-1", 400, "bad_field"),
            ("/boards?deal=617&by=luck", 400, "bad_field"),
            ("/boards?deal=617&lmit=5", 400, "bad_field"),
            ("/races?limit", 400, "bad_field"),
        ):
            got = await site.get(path)
            assert (got.status, got.json["status"], got.json["code"]) == (status, status, code), path
            assert got.header("Content-Type") == "application/problem+json"
            assert got.header("Access-Control-Allow-Origin") == "*"
            assert got.header("Cache-Control") == "no-store"
            assert got.json["detail"]
            assert (await site.get(path, "HEAD")).body == ""
        for method in ("POST", "PUT", "DELETE", "BREW"):
            refused = await site.get("/races", method)
            assert (refused.status, refused.header("Allow")) == (405, "GET, HEAD, OPTIONS")
        assert "Traceback" not in server.log


async def test_the_description_names_every_page(site: Site) -> None:
    async with asyncio.timeout(WITHIN):
        contract = (await site.get("/openapi.json")).json
        assert contract["openapi"].startswith("3.1")
        assert set(contract["paths"]) == {page.path for page in PAGES}
        text = json.dumps(contract)
        for reference in {part.split('"')[0] for part in text.split('"$ref": "#/')[1:]}:
            place = contract
            for word in reference.split("/"):
                place = place[word]
        assert set((await site.get("")).json) == {
            f"{ROOT}/openapi.json",
            *(ROOT + page.path for page in PAGES),
        }


async def test_pages_count_against_an_address(tmp_path: Any) -> None:
    async with asyncio.timeout(WITHIN):
        arguments = ("--address-connections", "3/1", "--limits-exempt")
        running = await ServerProcess.start(tmp_path / "data", 0, *arguments)
        try:
            site = Site(running.port)
            assert [(await site.get("/races")).status for _ in range(3)] == [200, 200, 200]
            refused = await site.get("/races")
            assert (refused.status, refused.json["code"]) == (429, "slow_down")
            assert int(refused.header("Retry-After")) > 0
            assert refused.header("Access-Control-Allow-Origin") == "*"
        finally:
            await running.stop()
