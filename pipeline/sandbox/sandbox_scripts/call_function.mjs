// Runs in the sandbox: imports a JavaScript program, calls its functions, and reports what came of
// each call, as call_function.py does for Python, in the same form.
//
// `node call_function.mjs`, with call.json beside it ([file of the program, calls], in the form of
// value_json.py) and the program in the current directory. The program's file ends with a line that
// lets its names be looked up from here. What is expected never enters the sandbox.

import { readFileSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const LIMIT = 250_000;
const DEPTH = 100;
const SHOWN = 200;
const here = dirname(fileURLToPath(import.meta.url));
const report = Number(process.env.REPORT_FD);
// The program may put other things in their place.
const { stringify } = JSON;
const { exit } = process;

function encode(value, depth = DEPTH) {
  if (!depth) throw new RangeError("the value is nested too deep");
  if (value === null || value === undefined) return "null";
  switch (typeof value) {
    case "boolean":
      return String(value);
    case "string":
      return text(value);
    case "bigint":
      return `{"int":"${value < 0n ? "-" : ""}0x${(value < 0n ? -value : value).toString(16)}"}`;
    case "number":
      if (Number.isNaN(value)) return '{"float":"nan"}';
      if (!Number.isFinite(value)) return `{"float":"${value < 0 ? "-" : ""}inf"}`;
      return Object.is(value, -0) ? "-0.0" : String(value);
  }
  const list = (items) => `[${Array.from(items, (item) => encode(item, depth - 1)).join(",")}]`;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return list(value);
  const isObject = (item) => Object(item) === item;
  // No set in Python has lists or dictionaries.
  if (value instanceof Set) return [...value].some(isObject) ? list(value) : `{"set":${list(value)}}`;
  // The keys of an object are always strings; those of a map become the same.
  const key = (item) => (isObject(item) ? item : String(item));
  if (value instanceof Map) {
    return `{"dict":${list(Array.from(value, ([name, item]) => [key(name), item]))}}`;
  }
  const kind = Object.getPrototypeOf(value);
  if (kind === null || kind === Object.prototype) return `{"dict":${list(Object.entries(value))}}`;
  return `{"object":[${text(named(value))},${text(shown(value))}]}`;
}

function text(value) {
  return stringify(value).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function named(value) {
  return String(value.constructor?.name ?? typeof value).slice(0, SHOWN);
}

function shown(value) {
  try {
    return String(value).slice(0, SHOWN);
  } catch {
    return "it cannot be shown";
  }
}

// What "tuple" and its like are in Python has no other form here than a list.
function decode(data) {
  if (Array.isArray(data)) return data.map(decode);
  if (data === null || typeof data !== "object") return data;
  const [[kind, content]] = Object.entries(data);
  switch (kind) {
    case "int":
      return content.startsWith("-") ? -BigInt(content.slice(1)) : BigInt(content);
    case "float":
      return { inf: Infinity, "-inf": -Infinity, nan: NaN }[content];
    case "dict":
      return Object.fromEntries(content.map(([key, item]) => [decode(key), decode(item)]));
    case "set":
    case "frozenset":
      return new Set(content.map(decode));
    case "bytes":
      return Uint8Array.from(Buffer.from(content, "hex"));
    default:
      return content.map(decode);
  }
}

// A function by its name; a method by `Class.method`, on an instance made without arguments where
// it is not the class's own.
function found(name, exported) {
  if (name === "__dir__") return () => [];
  const [first, ...rest] = name.split(".");
  let holder = looked(first, exported);
  for (const each of rest) {
    const isOwn = Object.hasOwn(holder, each) && typeof holder[each] === "function";
    const owner = isClass(holder) && !isOwn ? new holder() : holder;
    holder = owner[each].bind(owner);
  }
  if (typeof holder !== "function") throw new TypeError(`${name} is no function`);
  return holder;
}

function looked(name, exported) {
  try {
    return globalThis[Symbol.for("laios")](name);
  } catch (error) {
    const own = exported?.default?.[name] ?? exported?.[name];
    if (own === undefined) throw error;
    return own;
  }
}

function isClass(value) {
  return typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
}

function failed(error, stage) {
  const names = [];
  for (let kind = error; kind instanceof Object; kind = Object.getPrototypeOf(kind)) {
    const name = String(kind.constructor?.name ?? "Object");
    if (!names.includes(name)) names.push(name);
  }
  // What the system refuses, a file or an address, has that name in Python.
  if (error instanceof Error && (error.cause ?? error).syscall) names.push("OSError");
  const stack = error instanceof Error ? String(error.stack) : "";
  const line = /program\.m?js:(\d+)/.exec(stack)?.[1] ?? null;
  const message = error instanceof Error ? error.message.split("\n", 1)[0] : shown(error);
  const error_names = `[${(names.length ? names : [typeof error]).map(text).join(",")}]`;
  return `{"error":${error_names},"message":${text(String(message).slice(0, 300))},"line":${line},"stage":"${stage}"}`;
}

function send(line) {
  const bytes = Buffer.from(`${line}\n`, "ascii");
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(report, bytes, sent);
}

async function called(call, exported, most) {
  let stage = "lookup";
  try {
    const method = found(call.function, exported);
    stage = "call";
    const value = await method(...call.args);
    stage = "value";
    const line = `{"value":${encode(value)}}`;
    if (line.length > most) throw new RangeError(`the value takes ${line.length} bytes`);
    return line;
  } catch (error) {
    return failed(error, stage);
  }
}

const [file, calls] = decode(JSON.parse(readFileSync(join(here, "call.json"), "utf8")));
let exported;
try {
  exported = await import(pathToFileURL(resolve(file)).href);
} catch (error) {
  const line = failed(error, "import");
  for (const _ of calls) send(line);
  exit(0);
}
for (const call of calls) send(await called(call, exported, Math.floor(LIMIT / calls.length)));
exit(0); // what the program still waits for is not waited for: the calls have returned
