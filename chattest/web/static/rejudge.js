"use strict";
// Judge again: a slider for each threshold; the page shows what flips while it moves.
(() => {
  const form = document.getElementById("thresholds");
  if (!form) return;
  const wrong = document.getElementById("wrong");
  const preview = document.getElementById("preview");
  let last = 0;
  let waiting = null;

  async function show() {
    const own = ++last;
    // With an example, all fields are sent: a missing one would be copied from the example.
    const fields = [...form.querySelectorAll("input[name]")];
    const every = fields.some((field) => field.name === "as");
    const moved = fields.filter((field) => field.value !== field.dataset.now);
    const query = new URLSearchParams((every ? fields : moved).map((field) => [field.name, field.value]));
    const address = query.size ? `${location.pathname}?${query}` : location.pathname;
    try {
      const answer = await ask(address);
      if (own !== last) return; // a later one is on its way
      preview.innerHTML = answer.part; // made by the app's own templates, which escape every text
      history.replaceState(null, "", address);
      wrong.hidden = true;
      const words = answer.flips === 1 ? "1 verdict flips" : `${answer.flips.toLocaleString("en")} verdicts flip`;
      document.getElementById("flips").textContent = moved.length ? words : "";
      announce(words);
    } catch (error) {
      if (own !== last) return;
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  }
  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(show, 120);
  }
  for (const pair of form.querySelectorAll(".pair")) {
    const number = pair.querySelector("input[type=number]");
    const range = pair.querySelector("input[type=range]");
    range.hidden = false;
    range.addEventListener("input", () => { number.value = range.value; soon(); });
    number.addEventListener("input", () => { range.value = number.value; soon(); });
  }
  document.getElementById("show").hidden = true;
})();

// While it is saved: look until it is done.
(() => {
  const box = document.getElementById("saving");
  if (!box) return;
  async function look() {
    let state;
    try { state = await ask(box.dataset.state); } catch { setTimeout(look, 2000); return; }
    if (state.done) { location.reload(); return; }
    document.getElementById("words").textContent = state.words;
    document.getElementById("seconds").textContent = state.seconds;
    setTimeout(look, 500);
  }
  setTimeout(look, 500);
})();
