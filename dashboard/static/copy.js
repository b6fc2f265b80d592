// Copies a text as it is stored, which is not always what is shown.
import { say } from "./say.js";

export function offerCopies() {
  if (!navigator.clipboard) return; // only on loopback and over TLS
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.removeAttribute("data-later");
    button.addEventListener("click", () => copy(button.dataset.copy));
  }
}

async function copy(address) {
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.status);
    await navigator.clipboard.writeText(await answer.text());
    say("Copied");
  } catch {
    say("Not copied");
  }
}
