"use strict";
// The table of runs: it counts the runs that are ticked.
(() => {
  const form = document.getElementById("compare");
  if (!form) return;
  const button = form.querySelector("button");
  const words = document.getElementById("ticked");
  const count = () => {
    const ticked = document.querySelectorAll('input[form="compare"]:checked').length;
    button.disabled = ticked < 2 || ticked > 4;
    words.textContent = ticked === 0 ? "Tick two to four runs on the same plan."
      : ticked > 4 ? `${ticked} runs are ticked; four can be compared.`
      : `${ticked} ${ticked === 1 ? "run is" : "runs are"} ticked.`;
  };
  document.addEventListener("change", (event) => { if (event.target.matches('input[form="compare"]')) count(); });
  count();
})();

// Rows of runs under way are read again every few seconds, so that their results appear by themselves.
(() => {
  const EACH = 5000;
  const nameOf = (row) => row.querySelector("th a").textContent;
  async function renew() {
    const rows = [...document.querySelectorAll("tr.under-way")];
    if (!rows.length) return;
    let page = null;
    if (!document.hidden) {
      try {
        const answer = await fetch(location.href);
        if (answer.ok) page = new DOMParser().parseFromString(await answer.text(), "text/html"); // the app's own page
      } catch { /* it is asked again */ }
    }
    for (const row of page ? rows : []) {
      const now = [...page.querySelectorAll("table.runs tbody tr")].find((other) => nameOf(other) === nameOf(row));
      // One that somebody uses stays as it is.
      const used = row.contains(document.activeElement) || row.querySelector("details[open]");
      if (!now || used) continue;
      if (!now.classList.contains("under-way")) announce(`${nameOf(now)} is over.`);
      row.replaceWith(document.adoptNode(now));
    }
    setTimeout(renew, EACH);
  }
  setTimeout(renew, EACH);
})();
