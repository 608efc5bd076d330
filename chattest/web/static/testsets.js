"use strict";
// Checks a test set while it is written, as the file will be checked when it is read.
(() => {
  const form = document.getElementById("draft");
  if (!form) return;
  const summary = document.getElementById("summary");
  const touched = new Set([...form.querySelectorAll('[aria-invalid="true"]')].map((field) => field.name));
  let asked = 0;
  let waiting = 0;

  /** Puts the problems of a field below it. */
  function showProblems(list, field, problems) {
    list.replaceChildren(...problems.map((problem) => {
      const item = document.createElement("li");
      item.dir = "auto";
      item.textContent = problem.what;
      if (problem.remedy) {
        const remedy = document.createElement("small");
        remedy.textContent = problem.remedy;
        item.append(" ", remedy);
      }
      return item;
    }));
    if (!field) return;
    if (problems.length) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  async function check() {
    const mine = ++asked;
    let answer;
    try { answer = await ask("/testsets/check", Object.fromEntries(new FormData(form))); } catch (error) {
      if (mine === asked) summary.textContent = error.message;
      return;
    }
    if (mine !== asked) return; // something was written since
    let open = 0;
    let marked = 0;
    for (const list of form.querySelectorAll(".wrong")) {
      const name = list.id.replace("wrong-", "");
      const problems = answer.problems[name === "whole" ? "" : name] || [];
      const shown = name === "whole" || touched.has(name);
      showProblems(list, form.elements.namedItem(name), shown ? problems : []);
      open += problems.length;
      marked += shown ? problems.length : 0;
    }
    document.getElementById("path").textContent = answer.path;
    document.getElementById("preview").textContent = answer.text;
    const words = open === 0 ? "Nothing is wrong. You can save it." : marked ? `${marked} to fix.` : "Not complete yet.";
    if (summary.textContent !== words) summary.textContent = words;
  }

  form.addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(check, 250);
    if (event.target.getAttribute("aria-invalid")) touched.add(event.target.name);
  });
  // A field is marked wrong only when it is left, not in the middle of a word.
  form.addEventListener("change", (event) => {
    touched.add(event.target.name);
    clearTimeout(waiting);
    check();
  });
  if (form.elements.namedItem("name").value) check();
})();
