/** As much of MessagePack as the protocol uses: whole numbers, texts, booleans, arrays, and maps with names. */

/** @typedef {number | string | boolean | any[] | {[name: string]: any}} Value */

const DEEPEST = 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The bytes of a value. Throws for what the protocol does not have. @param {unknown} value @returns {Uint8Array<ArrayBuffer>} */
export function encode(value) {
  /** @type {number[]} */
  const bytes = [];
  put(bytes, value);
  return new Uint8Array(bytes);
}

/** @param {number[]} bytes @param {number} value @param {number} width */
function big(bytes, value, width) {
  for (let at = width - 1; at >= 0; at -= 1) bytes.push(Math.floor(value / 256 ** at) & 255);
}

/** @param {number[]} bytes @param {unknown} value */
function put(bytes, value) {
  if (typeof value === "boolean") bytes.push(value ? 0xc3 : 0xc2);
  else if (typeof value === "number" && Number.isSafeInteger(value)) putNumber(bytes, value);
  else if (typeof value === "string") putText(bytes, value);
  else if (Array.isArray(value)) {
    putLength(bytes, value.length, 0x90, 16, [0xdc, 0xdd]);
    for (const item of value) put(bytes, item);
  } else if (value?.constructor === Object) {
    const named = Object.entries(value);
    putLength(bytes, named.length, 0x80, 16, [0xde, 0xdf]);
    for (const item of named.flat()) put(bytes, item);
  } else throw new TypeError(`not sent: ${String(value)}`);
}

/** @param {number[]} bytes @param {number} value */
function putNumber(bytes, value) {
  if (value >= -32 && value < 128) bytes.push(value & 255);
  else if (value < 0) {
    bytes.push(0xd3);
    const low = BigInt.asUintN(64, BigInt(value));
    for (let shift = 56n; shift >= 0n; shift -= 8n) bytes.push(Number((low >> shift) & 255n));
  } else {
    const width = value < 2 ** 8 ? 0 : value < 2 ** 16 ? 1 : value < 2 ** 32 ? 2 : 3;
    bytes.push(0xcc + width);
    big(bytes, value, 2 ** width);
  }
}

/** @param {number[]} bytes @param {string} text */
function putText(bytes, text) {
  const raw = encoder.encode(text);
  putLength(bytes, raw.length, 0xa0, 32, [0xd9, 0xda, 0xdb]);
  for (const byte of raw) bytes.push(byte);
}

/** @param {number[]} bytes @param {number} length @param {number} short @param {number} most @param {number[]} codes */
function putLength(bytes, length, short, most, codes) {
  if (length < most) {
    bytes.push(short | length);
    return;
  }
  const widths = codes.length === 3 ? [1, 2, 4] : [2, 4];
  const at = widths.findIndex((width) => length < 256 ** width);
  bytes.push(codes[at]);
  big(bytes, length, widths[at]);
}

/** The value of bytes. Throws where they are anything else than one value. @param {Uint8Array} bytes @returns {Value} */
export function decode(bytes) {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw new RangeError("bytes behind the message");
  return value;
}

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  /** @param {number} width @returns {number} */
  whole(width) {
    const at = this.at;
    this.at += width;
    if (width === 1) return this.view.getUint8(at);
    if (width === 2) return this.view.getUint16(at);
    if (width === 4) return this.view.getUint32(at);
    return Number(this.view.getBigUint64(at));
  }

  /** @param {number} width @returns {number} */
  signed(width) {
    const at = this.at;
    this.at += width;
    if (width === 1) return this.view.getInt8(at);
    if (width === 2) return this.view.getInt16(at);
    if (width === 4) return this.view.getInt32(at);
    return Number(this.view.getBigInt64(at));
  }

  /** @param {number} length */
  text(length) {
    if (this.at + length > this.bytes.length) throw new RangeError("the message is cut off");
    this.at += length;
    return decoder.decode(this.bytes.subarray(this.at - length, this.at));
  }

  /** @param {number} length @param {number} depth @returns {Value[]} */
  array(length, depth) {
    if (depth >= DEEPEST || length > this.bytes.length - this.at) throw new RangeError("no message has such an array");
    return Array.from({ length }, () => this.value(depth + 1));
  }

  /** @param {number} length @param {number} depth */
  map(length, depth) {
    const values = this.array(2 * length, depth);
    return Object.fromEntries(Array.from({ length }, (_, at) => values.slice(2 * at, 2 * at + 2)));
  }

  /** @param {number} depth @returns {Value} */
  value(depth) {
    const code = this.whole(1);
    if (code < 0x80) return code;
    if (code >= 0xe0) return code - 256;
    if (code < 0x90) return this.map(code & 15, depth);
    if (code < 0xa0) return this.array(code & 15, depth);
    if (code < 0xc0) return this.text(code & 31);
    if (code === 0xc2 || code === 0xc3) return code === 0xc3;
    if (code >= 0xcc && code <= 0xcf) return this.whole(2 ** (code - 0xcc));
    if (code >= 0xd0 && code <= 0xd3) return this.signed(2 ** (code - 0xd0));
    if (code >= 0xd9 && code <= 0xdb) return this.text(this.whole(2 ** (code - 0xd9)));
    if (code === 0xdc || code === 0xdd) return this.array(this.whole(code === 0xdc ? 2 : 4), depth);
    if (code === 0xde || code === 0xdf) return this.map(this.whole(code === 0xde ? 2 : 4), depth);
    throw new RangeError(`no message has a ${code.toString(16)}`);
  }
}
