"use strict";
(() => {
  const body = document.getElementById("rows");
  function side(name, [verdict, reply, reason]) {
    const made = document.createElement("div");
    made.className = "said subject";
    const who = said("span", `${name} `, "who");
    who.append(said("span", verdict, `verdict ${verdict}`));
    made.append(who, said("p", reply), said("span", reason, "why"));
    return made;
  }
  function add({ check, where, prompt, expected, worse, first, second }) {
    const item = document.createElement("li");
    item.className = "flip";
    const head = said("h3", `${check}, ${where} `, "place");
    head.append(said("span", worse ? "worse" : "better", `gate ${worse ? "missed" : "met"}`));
    const asked = said("p", prompt);
    asked.classList.add("asked");
    item.append(head, asked);
    if (expected) item.append(said("p", `expected: ${expected}`, "expected"));
    const pair = document.createElement("div");
    pair.className = "pair";
    pair.append(side(data.names[0], first), side(data.names[1], second));
    item.append(pair);
    body.append(item);
  }
  function matches(flip, asked) {
    const words = asked.text.toLowerCase();
    return (
      (!asked.case || flip.check === asked.case) &&
      (!asked.which || flip.worse === (asked.which === "worse")) &&
      (!words || `${flip.prompt}\n${flip.first[1]}\n${flip.second[1]}`.toLowerCase().includes(words))
    );
  }
  lead("flips", filtered(data.rows, body, "flipped questions", matches, add));
})();
