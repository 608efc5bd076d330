"use strict";
// A chat: sends the visitor's messages, shows replies and verdicts as they come, and puts the plan's texts into the box.
// The page loads it before its own text, so that an Enter counts that is pressed while the rest is still loading.
let entered = false;
let enter = () => { entered = true; };
document.addEventListener("keydown", (event) => {
  if (event.target.id !== "text" || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  enter();
});
document.addEventListener("DOMContentLoaded", () => {
  const talk = document.querySelector("[data-talk]");
  const address = talk.dataset.talk;
  const rounds = document.getElementById("rounds");
  const probes = document.getElementById("probes");
  const state = document.getElementById("state");
  const trouble = document.getElementById("trouble");
  const say = document.getElementById("say");
  const box = document.getElementById("text");
  const step = say.elements.step;
  const hint = document.getElementById("hint");
  const send = say.querySelector("button");
  let version = Number(talk.dataset.version);
  let following = false;
  let again = false;
  let kept = false; // whether the text in the box is sent as soon as it is the visitor's turn

  const complain = (text) => {
    trouble.textContent = text;
    trouble.hidden = !text;
  };

  /** Chooses a step of the plan, or none. */
  function choose(button) {
    for (const other of probes.querySelectorAll(".step")) other.setAttribute("aria-pressed", String(other === button));
    step.value = button ? button.dataset.step : "";
    hint.textContent = button ? "This is a probe of the plan. If you change it, it counts as your own words." : "";
  }

  /** Remembers that the text is to be sent, or forgets it. */
  function keep(wanted) {
    if (wanted === kept) return;
    kept = wanted;
    hint.textContent = kept ? "It is sent as soon as it is your turn." : "";
  }

  function put(round) {
    const template = document.createElement("template");
    template.innerHTML = round.html; // made by the app's own template, in which all texts are escaped
    const item = template.content.firstElementChild;
    const old = document.getElementById(item.id);
    if (old) old.replaceWith(item);
    else rounds.append(item);
    item.scrollIntoView({ block: "nearest" });
  }

  function show(change) {
    version = change.version;
    change.rounds.forEach(put);
    state.textContent = change.state;
    const focused = probes.contains(document.activeElement) ? document.activeElement.dataset.step : "";
    probes.innerHTML = change.probes; // as above
    const again = focused ? probes.querySelector(`[data-step="${CSS.escape(focused)}"]`) : null;
    if (again) again.focus();
    send.disabled = !change.yours;
    if (change.over) keep(false);
    else if (kept && change.yours) say.requestSubmit();
    if (change.heard) announce(change.heard);
    else if (!change.yours) announce(change.state);
  }

  /** Reads what is new, a line of JSON each, until it is the person's turn and everything is judged. */
  async function follow() {
    if (following) {
      again = true;
      return;
    }
    following = true;
    try {
      for (let idle = false; !idle || again; ) {
        again = false;
        const answer = await fetch(`${address}/events?after=${version}`);
        if (!answer.ok) throw new Error("This chat was closed. Begin a new one.");
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          const lines = (rest + part.value).split("\n");
          rest = lines.pop();
          for (const line of lines) {
            const change = JSON.parse(line);
            show(change);
            idle = change.idle;
          }
        }
      }
    } catch (error) {
      complain(error instanceof TypeError ? "The app does not answer. Is `view` still running?" : error.message);
    } finally {
      following = false;
    }
  }

  say.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (send.disabled) {
      keep(Boolean(box.value.trim()));
      return;
    }
    keep(false);
    send.disabled = true;
    complain("");
    // The box is emptied at once: what is written while the answer is on its way stays.
    const text = box.value;
    const chosen = step.value;
    const was = state.textContent;
    box.value = "";
    choose(null);
    state.textContent = "Sending …";
    box.focus();
    try {
      await ask(`${address}/say`, { text, step: chosen });
    } catch (error) {
      complain(error.message);
      if (!box.value) {
        box.value = text;
        step.value = chosen;
      }
      state.textContent = was;
      send.disabled = false;
    }
    await follow();
  });
  enter = () => say.requestSubmit();
  box.addEventListener("input", () => {
    keep(false);
    if (!step.value) return;
    choose(null);
    hint.textContent = "You changed the text, so that it counts as your own words.";
  });
  probes.addEventListener("click", (event) => {
    const button = event.target.closest(".step");
    if (!button || button.disabled) return;
    keep(false);
    box.value = button.dataset.text;
    choose(button);
    box.focus();
  });
  document.getElementById("save").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.target.querySelector("button");
    const saved = document.getElementById("saved");
    button.disabled = true;
    saved.textContent = "Judging and writing …";
    complain("");
    try {
      const { name, address: run } = await ask(`${address}/save`, {});
      const link = document.createElement("a");
      link.href = run;
      link.textContent = name;
      saved.replaceChildren("Saved as ", link, ".");
      announce(`Saved as ${name}.`);
    } catch (error) {
      saved.textContent = "";
      complain(error.message);
    } finally {
      button.disabled = false;
    }
  });
  if (entered) enter();
  follow();
});
