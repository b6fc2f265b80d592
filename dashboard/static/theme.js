// Changes the theme at once; the form's answer only keeps it.
export function switchThemes() {
  const form = document.querySelector(".themes");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = event.submitter.value;
    document.documentElement.dataset.theme = chosen;
    for (const button of form.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button === event.submitter));
    }
    const fields = new URLSearchParams(new FormData(form));
    fields.set("theme", chosen);
    fetch(form.action, { method: "POST", body: fields, redirect: "manual" });
  });
}
