// New rows and running runs, over server-sent events. Rows come as HTML from our own templates.
const MOST_ROWS = 200; // in the page
const MOST_WAITING = 100; // while it is held; more than that is a reload
const RETRY_MS = 3000;

const body = document.body;
const button = document.getElementById("hold");
const waiting = [];
let missed = 0;
let held = false;
let source = null;
let last = "";
let running = null; // what came while the page is held

export function follow() {
  const address = body.dataset.live;
  if (!address) return;
  setInterval(tick, 1000);
  if (button) {
    button.removeAttribute("data-later");
    button.addEventListener("click", toggle);
  }
  // A hidden tab gives its connection back: a browser has only six of them for one address.
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open(address)));
  addEventListener("pagehide", close);
  addEventListener("pageshow", () => open(address));
  open(address);
}

export function toggle() {
  if (!button) return;
  held = !held;
  if (!held) release();
  show();
}

function open(address) {
  if (source || document.hidden) return;
  const url = new URL(address, location.href);
  if (last) url.searchParams.set("after", last);
  source = new EventSource(url);
  source.addEventListener("open", show);
  source.addEventListener("error", () => retry(address));
  source.addEventListener("run", (event) => arrive(JSON.parse(event.data)));
  source.addEventListener("running", (event) => run(parse(event.data)));
  source.addEventListener("gone", (event) => restart(event.data));
  source.addEventListener("index", (event) => index(Number(event.data)));
}

function close() {
  source?.close();
  source = null;
}

// After a break the browser goes on by itself, after a refusal it does not: the session is over, or
// a proxy stands there alone.
async function retry(address) {
  show();
  if (source?.readyState !== EventSource.CLOSED) return;
  close();
  const page = await fetch(location.href, { method: "HEAD" }).catch(() => null);
  if (page?.status === 401 && !held) return location.reload(); // to sign in
  setTimeout(open, RETRY_MS, address);
}

function show() {
  if (!button) return;
  const off = source?.readyState !== EventSource.OPEN;
  button.classList.toggle("off", off);
  button.setAttribute("aria-pressed", String(held));
  const count = waiting.length + missed;
  const text = held ? (count ? `${count} waiting` : "paused") : off ? "connecting" : "live";
  button.querySelector("span").textContent = text;
}

function arrive(row) {
  last = row.id;
  if (body.dataset.page !== "timeline") return;
  if (!held) return insert(row);
  if (waiting.length < MOST_WAITING) waiting.push(row);
  else missed++;
  show();
}

// The history was replaced, or too many rows have come: what is shown is not what there is.
function restart(newest) {
  last = newest;
  if (body.dataset.page !== "timeline") return;
  if (!held) return location.reload();
  missed++;
  show();
}

function release() {
  if (missed) return location.reload();
  waiting.splice(0).forEach(insert);
  if (running !== null) run(running);
}

function insert(row) {
  if (row.day > body.dataset.today) return location.reload(); // each day has another name now
  const days = document.getElementById("days");
  if (document.querySelector(`.day [data-id="${CSS.escape(row.id)}"]`)) return;
  if (days.firstElementChild?.dataset.day !== row.day) days.prepend(newDay(row));
  const made = parse(row.html).querySelector("li");
  made.classList.add("new");
  days.firstElementChild.querySelector(".rows").prepend(made);
  document.getElementById("empty")?.remove();
  const count = document.querySelector(".count b");
  count.textContent = count.textContent.replace(/^[\d\u202f]+/, (n) => group(digits(n) + 1));
  const [runs, match] = count.textContent === "1" ? ["run", "matches"] : ["runs", "match"];
  const words = count.nextSibling;
  words.data = words.data.includes("match") ? ` ${runs} ${match}` : ` ${runs}`;
  const rows = days.querySelectorAll(".row");
  for (let i = MOST_ROWS; i < rows.length; i++) rows[i].remove();
}

const digits = (text) => Number(text.replaceAll("\u202f", ""));
const group = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");

function newDay(row) {
  const section = document.createElement("section");
  section.className = "day";
  section.dataset.day = row.day;
  const title = document.createElement("h2");
  title.textContent = row.name;
  const rows = document.createElement("ol");
  rows.className = "rows";
  section.append(title, rows);
  return section;
}

function run(content) {
  running = held ? content : null;
  if (held) return;
  const list = document.getElementById("running");
  if (body.dataset.page === "running") {
    const mine = content.querySelector(`[data-id="${CSS.escape(body.dataset.run)}"]`);
    if (!mine) return location.reload();
    return list.replaceChildren(mine);
  }
  const focused = document.activeElement?.closest("#running .row")?.dataset.id;
  list.replaceChildren(...content.children);
  if (focused) list.querySelector(`[data-id="${CSS.escape(focused)}"] a`)?.focus();
}

function index(percent) {
  const notice = document.getElementById("indexing");
  if (!notice) return;
  if (percent === 100) return location.reload();
  const bar = notice.querySelector("progress");
  bar.max = 100;
  bar.value = percent;
}

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function tick() {
  const clocks = (part) => part?.querySelectorAll("[data-elapsed]") ?? [];
  for (const place of [...clocks(document), ...clocks(running)]) {
    const ms = Number(place.dataset.elapsed) + 1000;
    place.dataset.elapsed = ms;
    const seconds = Math.round(ms / 1000);
    const rest = String(seconds % 60).padStart(2, "0");
    place.textContent = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${rest} s`;
  }
}
