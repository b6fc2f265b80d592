// Counts again while a slider moves; what comes is a page of ours, of which the result is taken.
export function slide() {
  const form = document.querySelector("[data-sliders]");
  if (!form) return;
  let asked = 0;
  form.addEventListener("input", async (event) => {
    if (event.target.type !== "range") return;
    event.target.parentElement.querySelector("output").value = event.target.value;
    const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
    const mine = ++asked;
    const answer = await fetch(address);
    if (!answer.ok || mine !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("result").replaceWith(page.getElementById("result"));
    history.replaceState(null, "", address);
  });
}
