"use strict";
// Show how many runs are chosen; the app checks it as well.
(() => {
  const form = document.getElementById("choose");
  if (!form) return;
  const words = document.getElementById("chosen");
  const most = Number(form.dataset.most);
  const button = form.querySelector("button");
  function count() {
    const chosen = form.querySelectorAll("input:checked").length;
    button.disabled = chosen < 2 || chosen > most;
    words.textContent = chosen > most ? `${chosen} chosen; at most ${most} can be compared.` : `${chosen} chosen`;
  }
  form.addEventListener("change", count);
  addEventListener("pageshow", count);
})();
