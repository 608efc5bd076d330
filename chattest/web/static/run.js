"use strict";
// Opens the page again when a run of many results, or a folder of many runs, has been read.
(() => {
  const box = document.getElementById("reading");
  if (!box) return;
  const bar = document.querySelector("#reading + progress");
  async function look() {
    let state;
    try { state = await ask(box.dataset.state); } catch { location.reload(); return; }
    if (state.done) { location.reload(); return; }
    document.getElementById("percent").textContent = `${state.percent} %`;
    bar.value = state.percent;
    setTimeout(look, 500);
  }
  setTimeout(look, 500);
})();

// A conversation: a link to a round moves the focus there too.
(() => {
  function go() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tabIndex === -1) target.focus({ preventScroll: true });
  }
  addEventListener("hashchange", go);
  go();
})();
