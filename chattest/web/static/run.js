"use strict";
// Opens the page again when a run of many results, or a folder of many runs, has been read.
(() => {
  const told = document.getElementById("reading");
  if (!told) return;
  const bar = document.querySelector("#reading + progress");
  async function look() {
    let state;
    try { state = await ask(told.dataset.state); } catch { location.reload(); return; }
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
    const place = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (place && place.tabIndex === -1) place.focus({ preventScroll: true });
  }
  addEventListener("hashchange", go);
  go();
})();
