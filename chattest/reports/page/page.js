"use strict";
(() => {
  // A text is a string, or the pieces of an original and of an altered text: [-1 | 0 | 1, text] for removed, same, added.
  const plain = (text) => (typeof text === "string" ? text : text.map((piece) => piece[1]).join(""));
  function marked(text) {
    if (typeof text === "string") return said("td", text);
    const cell = said("td", "");
    const side = (name, left, shown, mark) => {
      const line = said("p", "", name);
      line.dir = "auto";
      for (const [change, piece] of text) {
        if (change !== left) line.append(change === shown ? said(mark, piece, "piece") : piece);
      }
      return line;
    };
    cell.append(side("altered", -1, 1, "mark"));
    if (text.some((piece) => piece[0] !== 0)) {
      const before = side("original", 1, -1, "del");
      before.prepend("originally: ");
      cell.append(before);
    }
    return cell;
  }
  function verdict(row) {
    const cell = said("td", "", "v");
    cell.append(said("span", row[1], `verdict ${row[1]}`));
    if (row[8]) cell.append(" ", said("span", "in doubt", "doubt"));
    if (row[10]) cell.append(" ", said("span", row[10], "person"));
    return cell;
  }

  // A check's code, which a narrow column breaks behind a dot or an underscore only.
  function breakable(element, code) {
    element.textContent = "";
    for (const part of code.split(/(?<=[._])/)) element.append(part, document.createElement("wbr"));
    return element;
  }
  // On a phone a row becomes a card, in which each cell says what it holds.
  function labelled(row, titles) {
    [...row.cells].forEach((cell, place) => (cell.dataset.label = titles[place].toLowerCase()));
  }

  const body = document.querySelector("#rows tbody");
  const titles = [...document.querySelectorAll("#rows thead th")].map((title) => title.textContent);
  function add(row) {
    const [check, , where, prompt, reply, why, value, anchor] = row;
    const cells = [breakable(said("td", "", "check"), check), verdict(row), said("td", "", "where")];
    cells.push(marked(prompt), marked(reply), said("td", why));
    cells.push(said("td", value === null ? "" : value.toFixed(2), "n"));
    if (anchor) {
      const link = said("a", where);
      link.href = `#${anchor}`;
      cells[2].append(link);
    } else breakable(cells[2], where);
    const shown = body.insertRow();
    shown.append(...cells);
    labelled(shown, titles);
  }
  function matches(row, asked) {
    const words = asked.text.toLowerCase();
    return (
      (!asked.case || row[0] === asked.case) &&
      (!asked.verdict || row[1] === asked.verdict) &&
      (!asked.doubt || row[8]) &&
      (!words || `${plain(row[3])}\n${plain(row[4])}\n${row[5]}`.toLowerCase().includes(words))
    );
  }

  // By question: the table of a question is made when it is opened.
  const list = document.getElementById("utterances");
  function alterations(rows) {
    const scroll = said("div", "", "scroll");
    const table = document.createElement("table");
    table.className = "cards";
    const head = table.createTHead().insertRow();
    const heads = ["Check", "Verdict", "Altered", "Answer", "Why"];
    for (const title of heads) {
      const cell = said("th", title);
      cell.scope = "col";
      head.append(cell);
    }
    const held = table.createTBody();
    for (const place of rows) {
      const row = data.rows[place];
      const check = breakable(said("td", "", "check"), row[0]);
      if (row[9]) check.append(said("small", row[9]));
      const shown = held.insertRow();
      shown.append(check, verdict(row), marked(row[3]), marked(row[4]), said("td", row[5]));
      labelled(shown, heads);
    }
    scroll.append(table);
    return scroll;
  }
  function addUtterance([question, reply, tags, split, failed, total, rows]) {
    const held = said("details", "", "utterance");
    const summary = document.createElement("summary");
    summary.append(said("span", question), " ", said("b", `${failed} of ${total} failed`, failed ? "FAIL" : "PASS"));
    for (const word of [tags, split && `split ${split}`]) if (word) summary.append(" ", said("small", word));
    held.append(summary);
    held.addEventListener(
      "toggle",
      () => {
        const answer = said("p", reply || "(no answer)");
        answer.prepend(said("b", "answered: "));
        held.append(answer, alterations(rows));
      },
      { once: true },
    );
    list.append(held);
  }
  function wanted([question, reply, tags, split], asked) {
    const words = asked.text.toLowerCase();
    return (
      (!asked.tag || tags.includes(asked.tag)) &&
      (!asked.split || split === asked.split) &&
      (!words || `${question}\n${reply}`.toLowerCase().includes(words))
    );
  }
  if (list) filtered(data.utterances, list, "questions", wanted, addUtterance, "utterances-");

  lead("results", filtered(data.rows, body, "results", matches, add));
})();
