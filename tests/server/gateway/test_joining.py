"""Modules and styles as few files: what stands in them, and what is refused."""

import json
import subprocess
from pathlib import Path

import pytest

from cellrace_server.gateway.joining import join_modules, join_styles
from tests.web.tools import node

FILES = {
    "main.js": b'import { fan as wide } from "./views/fan.js";\nimport { deck } from "./deck.js";\n\n'
    b'const { late } = await import("./later.js");\nconsole.log(JSON.stringify([wide(2), deck(), late]));\n',
    "deck.js": b'import words from "./words.js";\n\n/** All\n * cards. */\nexport const deck = () => words.cards;\n',
    "words.js": b'export default {\n  cards: "52",\n};\n',
    "views/fan.js": b'import { deck } from "../deck.js";\n\nconst secret = 1;\n'
    b"export function fan(n) {\n  return n + deck() + secret;\n}\nexport const HERE = import.meta.url;\n"
    b'export const later = () => import("../later.js");\nexport async function none() {}\nexport class Fan {}\n',
    "later.js": b"const secret = 2;\nexport const late = secret;\n",
}


def test_joined_modules_do_what_they_did(tmp_path: Path) -> None:
    joined = join_modules("main.js", FILES)
    assert joined.within == {"deck.js", "words.js", "views/fan.js"}
    (tmp_path / "main.mjs").write_text(joined.text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "later.js").write_bytes(FILES["later.js"])
    done = subprocess.run(
        [str(node()), "main.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(done.stdout) == ["2521", "52", 2]


def test_each_module_is_there_once_and_before_who_needs_it() -> None:
    text = join_modules("main.js", FILES).text
    marks = [line.removeprefix("{ // ") for line in text.splitlines() if line.startswith("{ // ")]
    assert marks == ["words.js", "deck.js", "views/fan.js", "main.js"]
    assert "/**" not in text


def test_what_a_module_finds_beside_itself_it_finds_still() -> None:
    text = join_modules("main.js", FILES).text
    assert 'import("./later.js")' in text
    assert 'import("../later.js")' not in text
    assert 'new URL("./views/fan.js", import.meta.url)' in text


@pytest.mark.parametrize(
    ("main", "said"),
    [
        ('import { a } from "./none.js";', "not there"),
        ('import * as all from "./words.js";', "not known how to join"),
        ("export { a };", "not known how to join"),
        ('import "./words.js";', "not known how to join"),
    ],
)
def test_what_cannot_be_joined_is_refused(main: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        join_modules("main.js", {**FILES, "main.js": main.encode()})


def test_circles_are_refused() -> None:
    circle = {"a.js": b'import { b } from "./b.js";\n', "b.js": b'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"in a circle: a\.js -> b\.js -> a\.js"):
        join_modules("a.js", circle)


def test_styles_come_in_the_order_in_which_they_are_imported() -> None:
    files = {
        "s/main.css": b'@import "./b.css";\n@import "./a.css";\n',
        "s/a.css": b"a {}\n",
        "s/b.css": b"b {}\n",
    }
    joined = join_styles("s/main.css", files)
    assert "".join(joined.text.split("\n")) == "b {}a {}"
    assert joined.within == {"s/a.css", "s/b.css"}
    with pytest.raises(ValueError, match="not there"):
        join_styles("s/main.css", {"s/main.css": b'@import "./c.css";\n'})
