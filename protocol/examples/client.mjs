// The same in plain JavaScript over the JSON twin; runs in a browser's console, or in Node.js 22 and later:
//     node client.mjs ws://127.0.0.1:8617/ws 617 2a 2b 2c ...
const [url, deal, ...moves] = process.argv.slice(2);
const CARDS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// SPEC 4.4: 8 columns, 4 cells, 4 foundations as the cards that lie on them
function piles(board) {
  const [columns, cells, heights] = board.split("|");
  const home = (height, suit) =>
    Array.from({ length: parseInt(height, 16) }, (_, rank) => CARDS[4 * rank + suit]).join("");
  const four = cells.padEnd(4, "-").split("").map((card) => card.replace("-", ""));
  return [...columns.split("/"), ...four, ...heights.split("").map(home)];
}

// SPEC 4.3
function transfer(board, value) {
  const [count, source, target] = [(value >> 8) + 1, (value >> 4) & 15, value & 15];
  const cut = board[source].length - count;
  board[target] += board[source].slice(cut);
  board[source] = board[source].slice(0, cut);
}

const socket = new WebSocket(url, ["cellrace.1.json"]);
const say = (...message) => socket.send(JSON.stringify(message));
let [ch, n, start, board] = [-1, 1, "", []];

socket.onopen = () => {
  say("hello", 1, "Example", "", "bot", "example");
  say("join", 1, deal);
};
socket.onmessage = ({ data }) => {
  const [name, ...rest] = JSON.parse(data);
  if (name === "in") {
    ch = rest[1];
    console.log("race", rest[2], "seat", rest[3]);
    say("ready", ch);
  } else if (name === "go") {
    start = rest[4];
    board = piles(start);
  } else if (name === "a") {
    const [, , , done, transfers, what = 0] = rest;
    n = done + 1;
    if (what === 2) board = piles(start);
    for (const value of transfers) transfer(board, value);
  } else if (name === "error" || name === "no") {
    console.log(name, ...rest);
    socket.close();
  } else if (name === "end") {
    const home = board.slice(12).reduce((sum, pile) => sum + pile.length, 0);
    console.log("end", rest[3], "home", home);
    socket.close();
  }
  if (["go", "a"].includes(name) && board.slice(12).join("").length < 52) {
    if (moves.length > 0) say("m", ch, n, moves.shift());
    else say("giveup", ch, n);
  }
};
