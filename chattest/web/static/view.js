"use strict";
// What all pages share: the theme, a message for screen readers, and requests to the app.
(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", String(isDark()));
  };
  let kept = null;
  try { kept = localStorage.getItem("theme"); } catch { /* no storage */ }
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* no storage */ }
    show();
  });
  system.addEventListener("change", show);
  show();
})();

// Filters act at once; the one that was chosen keeps the focus on the page that comes.
(() => {
  const forms = [...document.querySelectorAll("form.filters:not(.by-button)")];
  let last = null;
  try {
    last = sessionStorage.getItem("filter");
    sessionStorage.removeItem("filter");
  } catch { /* no storage */ }
  for (const form of forms) {
    for (const choice of form.querySelectorAll("select")) {
      if (choice.name === last) choice.focus({ preventScroll: true });
      choice.addEventListener("change", () => {
        try { sessionStorage.setItem("filter", choice.name); } catch { /* no storage */ }
        form.requestSubmit();
      });
    }
  }
})();

/** Tells screen readers what happened. */
function announce(text) {
  document.getElementById("announce").textContent = text;
}

/** Sends plain values to the app; resolves to its answer. Rejects with an Error whose message is for the user. */
async function ask(address, values) {
  const options = { headers: { Accept: "application/json" } };
  if (values !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(values);
  }
  let answer;
  try { answer = await fetch(address, options); } catch { throw new Error("The app does not answer. Is `view` still running?"); }
  const content = await answer.json().catch(() => ({}));
  if (answer.ok) return content;
  const problems = (content.problems || []).map((p) => `${p.where}: ${p.what}${p.remedy ? `. ${p.remedy}` : ""}`);
  throw new Error(problems.join("\n") || `The app answered ${answer.status}.`);
}
