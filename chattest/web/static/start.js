"use strict";
// The form that starts a run: checks while one types, finds settings, and waits for a run that was started.
(() => {
  const form = document.getElementById("start");
  if (!form) return;
  const settings = [...form.querySelectorAll(".setting")];
  const search = document.querySelector("[name=q]");
  const only = document.getElementById("only");
  const count = document.getElementById("count");
  const result = document.getElementById("result");
  only.closest("label").hidden = false;
  search.form.querySelector("button").hidden = true;

  const field = (setting) => setting.querySelector("[name]");
  const seats = [...form.querySelectorAll(".seats > div")];
  const seated = () => seats.map((seat) => JSON.stringify(seat.querySelector("select").value || seat.querySelector("input").value.trim()));
  const valueOf = (setting) => (setting.querySelector(".seats") ? `[${seated().join(", ")}]` : field(setting).value);
  const isChanged = (setting) => valueOf(setting).trim() !== setting.dataset.base.trim();
  /** The text of another chatter is asked for where one is wanted. */
  function showOthers() {
    for (const seat of seats) seat.querySelector(".other").hidden = Boolean(seat.querySelector("select").value);
  }

  /** Shows the settings that have all words. */
  function find() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const setting of settings) {
      setting.hidden = !words.every((word) => setting.dataset.search.includes(word)) || (only.checked && !isChanged(setting));
      shown += setting.hidden ? 0 : 1;
    }
    for (const section of form.querySelectorAll(".section")) {
      section.hidden = [...section.querySelectorAll(".setting")].every((setting) => setting.hidden);
      if (words.length || only.checked) section.open = true;
    }
    count.textContent = words.length || only.checked ? `${shown} of ${settings.length} settings` : "";
  }

  let asked = 0;
  /** Has the app check, plan or start; resolves to its answer, or to null if a later request overtook it. */
  async function submit(action) {
    const number = ++asked;
    const fields = new URLSearchParams(new FormData(form));
    fields.set("action", action);
    const answer = await fetch("/start", { method: "POST", body: fields, headers: { Accept: "application/json" } })
      .catch(() => { throw new Error("The app does not answer. Is `view` still running?"); });
    const content = await answer.json().catch(() => ({}));
    if (number !== asked) return null;
    if (!answer.ok) throw new Error((content.problems || []).map((p) => `${p.where}: ${p.what}`).join("\n") || `The app answered ${answer.status}.`);
    return content;
  }

  /** Shows at the buttons how many settings are changed and how many are wrong. */
  function showCounts(changed, wrong) {
    const link = document.createElement("a");
    link.href = "#equals";
    link.textContent = `${wrong} wrong`;
    document.getElementById("tally").replaceChildren(`${changed} changed`, ...(wrong ? [", ", link] : []));
  }

  function show(outcome) {
    result.innerHTML = outcome.html; // made by the app's own template, in which all texts are escaped
    for (const setting of settings) {
      const wrong = outcome.problems[setting.dataset.name] || [];
      setting.classList.toggle("changed", setting.dataset.name in outcome.changed);
      setting.querySelector(".wrong").textContent = wrong.join(" ");
      if (wrong.length) field(setting).setAttribute("aria-invalid", "true");
      else field(setting).removeAttribute("aria-invalid");
    }
    showCounts(Object.keys(outcome.changed).length, outcome.wrong);
    const address = new URLSearchParams(Object.entries(outcome.changed).map(([name, text]) => ["set", `${name}=${text}`]));
    if (search.value) address.set("q", search.value);
    history.replaceState(null, "", address.size ? `/start?${address}` : "/start");
  }

  /** Does what a button asks for, or checks quietly while one types. */
  async function act(action, aloud = false) {
    try {
      const outcome = await submit(action);
      if (!outcome) return;
      if (outcome.started) location.assign(outcome.started);
      else show(outcome);
      if (aloud) (document.getElementById("plan") || document.getElementById("equals")).scrollIntoView({ block: "start" });
    } catch (error) {
      const line = document.createElement("p");
      line.className = "problem";
      line.setAttribute("role", "alert");
      line.textContent = error.message;
      result.replaceChildren(line);
    }
  }

  let timer = 0;
  form.addEventListener("input", (event) => {
    const setting = event.target.closest(".setting");
    if (setting) setting.classList.toggle("changed", isChanged(setting));
    clearTimeout(timer);
    timer = setTimeout(act, 300, "check");
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearTimeout(timer);
    const button = event.submitter;
    const action = button ? button.value : "check";
    const buttons = form.querySelectorAll("button");
    buttons.forEach((one) => { one.disabled = true; });
    announce(action === "start" ? "Starting …" : "Checking …");
    await act(action, true);
    buttons.forEach((one) => { one.disabled = false; });
  });
  form.addEventListener("change", showOthers);
  showOthers();
  search.addEventListener("input", find);
  search.form.addEventListener("submit", (event) => event.preventDefault());
  only.addEventListener("change", find);
})();

(() => {
  const waits = document.querySelector("[data-waits]");
  if (!waits || !document.getElementById("waiting")) return;
  const output = document.getElementById("output");
  async function look() {
    try {
      const { address, code, output: printed } = await ask(waits.dataset.waits);
      output.textContent = printed || "Nothing yet.";
      if (address) location.replace(address);
      else if (code !== null) location.reload();
      else setTimeout(look, 700);
    } catch (error) {
      document.getElementById("waiting").textContent = error.message;
    }
  }
  look();
})();
