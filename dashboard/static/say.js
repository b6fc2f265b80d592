// A short message at the foot of the page, for eyes and for screen readers.
let timer;

export function say(text) {
  const place = document.getElementById("said");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(timer);
  timer = setTimeout(() => place.classList.remove("shown"), 2000);
}
