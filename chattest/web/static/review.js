"use strict";
// Labels by keyboard. Without this script, the same form sends each answer as a page of its own.
(() => {
  const place = document.getElementById("row");
  const intervals = document.getElementById("outlook");
  const trouble = document.getElementById("trouble");
  const keys = "pfcsbq";
  let busy = false;
  let wanted = null; // the case whose intervals are asked for next
  let asking = false;

  const form = () => place.querySelector("form");
  const button = (action) => form().querySelector(`button[value="${action}"]`);
  const heading = () => place.querySelector("h2");

  function complain(error) {
    trouble.textContent = error.message;
    trouble.hidden = false;
  }

  function mark(name) {
    for (const row of intervals.querySelectorAll("tr[data-case]")) row.classList.toggle("current", row.dataset.case === name);
  }

  /** Fetches the intervals; while one answer is on its way, only the last request is remembered. */
  async function renew(name) {
    wanted = name;
    if (asking) return;
    asking = true;
    while (wanted !== null) {
      const now = wanted;
      wanted = null;
      const [path, query] = place.dataset.address.split("?");
      try {
        intervals.innerHTML = (await ask(`${path}/intervals?${query}&case=${encodeURIComponent(now)}`)).part;
        mark(now);
      } catch (error) { complain(error); }
    }
    asking = false;
  }

  async function send(action) {
    if (busy) return;
    busy = true;
    trouble.hidden = true;
    const given = Object.fromEntries(new FormData(form()));
    const name = form().dataset.case;
    try {
      const answer = await ask(location.pathname, { ...given, action });
      if (answer.go) {
        location.assign(answer.go);
        return;
      }
      place.innerHTML = answer.part;
      history.replaceState(null, "", answer.address);
      heading().focus({ preventScroll: true });
      place.scrollIntoView({ block: "start" });
      announce(`${answer.said}. ${heading().textContent}`);
      if ("pfcb".includes(action)) renew(name);
    } catch (error) { complain(error); }
    busy = false;
  }

  place.addEventListener("submit", (event) => {
    event.preventDefault();
    send(event.submitter ? event.submitter.value : "n");
  });
  // A page that the browser kept is as it was before the last answer.
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const field = event.target instanceof HTMLInputElement && event.target.name === "note";
    if (field) {
      // Enter keeps the remark, Escape leaves the field; letters are letters.
      if (event.key === "Enter") { event.preventDefault(); event.target.blur(); send("n"); }
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.target.closest && event.target.closest("input, select, textarea")) return;
    const key = event.key === "ArrowLeft" ? "b" : event.key.toLowerCase();
    if (key === "n") {
      const note = form().querySelector("input[name=note]");
      if (note) { event.preventDefault(); note.focus(); }
    } else if (key === "h") {
      const earlier = document.getElementById("history");
      if (earlier) { event.preventDefault(); earlier.open = !earlier.open; }
    } else if (key.length === 1 && keys.includes(key) && !event.repeat) {
      const pressed = button(key);
      if (pressed && !pressed.disabled) { event.preventDefault(); send(key); }
    }
  });
})();
