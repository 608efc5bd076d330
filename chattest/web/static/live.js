"use strict";
// Asks each second what is new in a run, and adds it. Parts of the page come ready-made from the app, with all texts escaped.
(() => {
  const live = document.getElementById("live");
  if (!live || "ended" in live.dataset) return;
  const status = document.getElementById("status");
  const control = document.getElementById("control");
  const trouble = document.getElementById("trouble");
  const talks = document.getElementById("talks");
  const EACH = 1000;
  const atEnd = (box) => box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  const boxOf = (talk) => talk.querySelector(".talk-box");

  const address = () => {
    const asked = new URL(live.dataset.news, location.href);
    for (const talk of talks.children) asked.searchParams.set(talk.dataset.talk, talk.dataset.count);
    return asked.href;
  };

  /** Conversations in progress come first, unless somebody is reading one. */
  const order = (wanted) => {
    if (talks.contains(document.activeElement) || wanted.every((talk, place) => talks.children[place] === talk)) return;
    const places = wanted.map((talk) => boxOf(talk).scrollTop);
    talks.prepend(...wanted);
    wanted.forEach((talk, place) => { boxOf(talk).scrollTop = places[place]; });
  };

  const add = (news) => {
    const shown = new Map([...talks.children].map((talk) => [talk.dataset.talk, talk]));
    for (const each of news.talks) {
      let talk = shown.get(each.name);
      if (!talk) {
        talks.insertAdjacentHTML("beforeend", each.talk);
        talk = talks.lastElementChild;
      }
      shown.delete(each.name);
      const box = boxOf(talk);
      const follow = atEnd(box);
      if (each.turns) talk.querySelector("ol").insertAdjacentHTML("beforeend", each.turns);
      talk.dataset.count = each.count;
      talk.classList.toggle("over", each.over);
      talk.querySelector(".talk-state").textContent = each.over ? "over" : "under way";
      if (follow && each.turns) box.scrollTop = box.scrollHeight;
    }
    order(news.talks.map((each) => [...talks.children].find((talk) => talk.dataset.talk === each.name)));
    // One that somebody reads stays until the focus leaves it.
    for (const talk of shown.values()) if (!talk.contains(document.activeElement)) talk.remove();
    document.getElementById("none").hidden = talks.children.length > 0;
  };

  const apply = (news) => {
    if (news.run_id && news.run_id !== control.elements.run_id.value) { // another run has the name now
      location.reload();
      return;
    }
    if (!status.contains(document.activeElement)) status.innerHTML = news.status;
    for (const button of control.querySelectorAll("button")) button.disabled = !news.actions.includes(button.value);
    control.hidden = !news.actions.length;
    if (news.state !== live.dataset.state) announce(news.words);
    live.dataset.state = news.state;
    add(news);
    if (news.ended) {
      status.innerHTML = news.status;
    }
  };

  const complain = (error) => {
    trouble.textContent = error ? error.message : "";
    trouble.hidden = !error;
  };

  let asking = null;
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    if (asking) return asking;
    let ended = false;
    asking = ask(address()).then((news) => { complain(null); apply(news); ended = news.ended; }, complain);
    await asking;
    asking = null;
    if (!ended) timer = setTimeout(look, trouble.hidden && !document.hidden ? EACH : 5 * EACH);
  };

  control.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await ask(control.getAttribute("action"), { action: event.submitter.value, run_id: control.elements.run_id.value });
    } catch (error) {
      complain(error);
      return;
    }
    if (asking) await asking;
    look();
  });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  for (const talk of talks.children) boxOf(talk).scrollTop = boxOf(talk).scrollHeight;
  look();
})();
