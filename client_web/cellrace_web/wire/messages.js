/**
 * Messages by name, as arrays on the wire and as objects here: `tag` is the message's name, the fields are beside it.
 * Each text lists a message's fields in order, `field=default` where it may be left out at the end (SPEC 9).
 */

/** @typedef {{tag: string, [field: string]: any}} Message */

/** @type {Record<string, string>} */
export const CLIENT = {
  hello: 'version name="" token="" kind="human" agent="" instance=""',
  create: 'r deal="" rules="classic" seats=2 open_boards=false public=true countdown_ms=3000 limit_ms=1800000 play=true ranked=false bots=true delay_ms=-1 best_of=1',
  join: 'r what rules="classic"',
  quick: 'r rules="classic" ranked=false bots=true house_bot=false ghost=""',
  rematch: "r ch",
  watch: "r race",
  resume: "r race after",
  part: "ch",
  look: "ch",
  leave: "ch",
  ready: "ch ready=true",
  start: "ch",
  m: "ch n move",
  u: "ch n",
  restart: "ch n",
  finish: "ch n",
  giveup: "ch n",
  races: 'r order="newest"',
  top: 'r deal rules="classic" kind="human" count=10 by="time" sight="any" offset=0 around=false scope="deal" day=""',
  replay: "r run",
  follow: "r",
  unfollow: "",
  renew: 'r token=""',
  runs: 'r player="" count=10 offset=0',
  daily: "r",
  play_daily: 'r rules="classic"',
  daily_top: 'r day="" rules="classic" kind="human" count=10 practice=false by="time" offset=0 around=false',
  race_ghosts: "r runs seats=1",
  profile: 'r player="" history=0',
  ratings: 'r rules="classic" kind="human" count=10 offset=0 around=false',
  export: "r page=0",
  erase: "r token",
};

/** @type {Record<string, string>} */
export const SERVER = {
  welcome: "version player name kind token server frame_bytes compensation_ms=0 limits=[] races=[]",
  error: "code text r=0 retry_after=0 facts={}",
  no: "ch n code text expected=0 retry_after=0",
  in: 'r ch race seat n name=""',
  notice: "code text ch=0 facts={}",
  snap: 'ch k race phase time age until host rules open_boards public countdown_ms limit_ms commitment deal start you n seats end="" standings=[] salt="" ranked=false bots=true delay_ms=0 best_of=1 game=1 wins=[] rematch="" spectators=0 daily="" practice=false ghosts=[] host_away=false',
  races: "r rows",
  top: 'r deal rules kind rows by="time" sight="any" offset=0 total=0 mine=[] ahead=0 worse=0 scope="deal" day=""',
  replay: "r run document",
  created: "ch k dt",
  joined: "ch k dt seat player name kind bots=true",
  here: "ch k dt seat",
  away: "ch k dt seat",
  left: "ch k dt seat host",
  readied: "ch k dt seat ready",
  countdown: "ch k dt ms",
  halted: "ch k dt",
  go: "ch k dt deal board",
  a: "ch k dt n transfers what=0 points=0 sum=0",
  d: "ch k dt seat transfers what=0 points=0 sum=0",
  p: "ch k dt seat home moves",
  done: "ch k dt seat time compensation error",
  gaveup: "ch k dt seat",
  outage: "ch k dt ms",
  end: "ch k dt reason standings deal salt",
  rematched: "ch k dt race",
  bots: "ch k dt seat welcome",
  hosts: "ch k dt host away=false",
  listing: "rows gone=[]",
  watching: "ch spectators",
  renewed: "r token",
  runs: "r player total offset rows",
  dailies: "r day next_ms rows choosing=[]",
  ghost: "ch index run name kind time steps",
  profile: "r player name kind since races wins runs ratings bests streaks steps=[]",
  ratings: "r rules kind rows offset=0 total=0 mine=[] ahead=0 worse=0",
  exported: "r page pages document",
  erased: "r",
};

/** Rows inside of messages. @type {Record<string, string>} */
export const ROWS = {
  seat: "player name kind ready gave_up time home moves undos points board away=false bots=true",
  place: "place seat home moves time compensation error",
  step: "t home moves",
  limit: "name scope capacity per_minute",
  race: "race phase rules seats players ranked=false bots=true waiting_ms=0 age_ms=0 spectators=0 bot_players=0 bot_after_ms=-1",
  best: 'place player name time moves at run score=0 first=false error=0 deal="" compensation=0',
  run: "run race deal rules time moves score at ranked first error=0 compensation=0",
  rating: "rules rating deviation races provisional place=0 total=0",
  measured: "by place total run",
  streak: "rules streak longest",
  rated: "rules at place players rating deviation",
  rank: "place player name rating deviation races at",
  daily: 'rules commitment committed_at attempt race="" time=-1 streak=0 longest=0 next_commitment="" last_deal="" last_salt="" last_commitment=""',
};

/** @typedef {{name: string, needed: boolean, usual: any}} Field */

/** @param {string} text @returns {Field[]} */
function fieldsOf(text) {
  return text.split(" ").filter(Boolean).map((part) => {
    const [name, usual] = part.split("=");
    return { name, needed: usual === undefined, usual: usual === undefined ? undefined : JSON.parse(usual) };
  });
}

/** Looks fields up; they are read when they are first asked for. @param {Record<string, string>} table */
function reader(table) {
  /** @type {Map<string, Field[]>} */
  const known = new Map();
  return (/** @type {string} */ tag) => {
    if (!known.has(tag) && Object.hasOwn(table, tag)) known.set(tag, fieldsOf(table[tag]));
    return known.get(tag);
  };
}

const TABLES = { client: reader(CLIENT), server: reader(SERVER), row: reader(ROWS) };

/** @param {Field[]} fields @param {any[]} values @returns {Record<string, any>} */
function named(fields, values) {
  const missing = fields.find((field, at) => field.needed && at >= values.length);
  if (missing) throw new TypeError(`${missing.name} is missing`);
  return Object.fromEntries(fields.map(({ name, usual }, at) => [name, at < values.length ? values[at] : usual]));
}

/** What an array means; `null` for a message of a later version. Throws where it is no message.
 * @param {unknown} values @param {"client" | "server"} [from] @returns {Message | null} */
export function readMessage(values, from = "server") {
  if (!Array.isArray(values) || typeof values[0] !== "string") throw new TypeError("no message");
  const fields = TABLES[from](values[0]);
  return fields ? { ...named(fields, values.slice(1)), tag: values[0] } : null;
}

/** The array of a message. Fields that are left out have their defaults. @param {Message} message
 * @param {"client" | "server"} [from] @returns {any[]} */
export function writeMessage(message, from = "client") {
  const fields = TABLES[from](message.tag);
  if (!fields) throw new TypeError(`no such message: ${message.tag}`);
  return [message.tag, ...fields.map(({ name, usual }) => message[name] ?? usual)];
}

/** A row by names. @param {"seat" | "place" | "step" | "limit" | "race" | "best" | "run" | "daily" | "rating" | "measured" | "streak" | "rated" | "rank"} kind
 * @param {any[]} values @returns {Record<string, any>} */
export const readRow = (kind, values) => named(/** @type {Field[]} */ (TABLES.row(kind)), values);
