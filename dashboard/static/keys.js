// The keyboard. Nothing happens while somebody writes, but for Escape.
import { toggle } from "./live.js";

const help = document.getElementById("help");
const keys = {
  "/": () => focusOn(document.getElementById("q")),
  j: () => step(1),
  k: () => step(-1),
  Escape: back,
  "[": () => click("[data-newer]"),
  "]": () => click("[data-older]"),
  d: () => click('[data-tab="diff"]'),
  c: () => click("[data-copy]"),
  r: () => document.querySelector("[data-again]")?.requestSubmit(),
  "?": () => help.showModal(),
  " ": hold,
};

export function listen() {
  const button = document.querySelector("[data-help]");
  button.removeAttribute("data-later");
  button.addEventListener("click", () => help.showModal());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const writes = event.target.closest("input, textarea, select");
    if (writes) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const act = keys[event.key];
    if (act && act(event) !== false) event.preventDefault();
  });
}

function hold(event) {
  // On a button or a link, and in a text that scrolls, Space has its own meaning.
  if (!document.getElementById("hold") || event.target.closest("button, summary")) return false;
  toggle();
}

function step(by) {
  const rows = [...document.querySelectorAll(".row > a")];
  const at = rows.indexOf(document.activeElement);
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  if (!next) return false;
  focusOn(next);
  next.scrollIntoView({ block: "nearest" });
}

function back() {
  const way = document.querySelector("[data-back]");
  if (way) location.assign(way.href);
  else if (document.activeElement !== document.body) document.activeElement.blur();
  else return false;
}

function click(what) {
  const found = document.querySelector(what);
  if (!found || found.matches("[data-later]")) return false;
  found.click();
}

function focusOn(element) {
  element?.focus();
  element?.select?.();
}
