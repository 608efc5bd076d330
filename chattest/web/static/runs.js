"use strict";
// The table of runs: filters act at once, and "Compare" tells how many runs are ticked.
(() => {
  const filters = document.getElementById("filters");
  for (const choice of filters ? filters.querySelectorAll("select") : []) {
    choice.addEventListener("change", () => filters.requestSubmit());
  }
  const form = document.getElementById("compare");
  if (!form) return;
  const button = form.querySelector("button");
  const words = document.getElementById("ticked");
  const boxes = [...document.querySelectorAll('input[form="compare"]')];
  const count = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    button.disabled = ticked < 2 || ticked > 4;
    words.textContent = ticked === 0 ? "Tick two to four runs on the same plan."
      : ticked > 4 ? `${ticked} runs are ticked; four can be compared.`
      : `${ticked} ${ticked === 1 ? "run is" : "runs are"} ticked.`;
  };
  for (const box of boxes) box.addEventListener("change", count);
  count();
})();
