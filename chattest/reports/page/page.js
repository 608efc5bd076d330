"use strict";
(() => {
  const body = document.querySelector("#rows tbody");
  function add([check, verdict, where, prompt, reply, why, value, anchor]) {
    const row = body.insertRow();
    const cells = [said("td", check, "check"), said("td", "", "v"), said("td", anchor ? "" : where, "where")];
    cells.push(said("td", prompt), said("td", reply), said("td", why));
    cells.push(said("td", value === null ? "" : value.toFixed(2), "n"));
    cells[1].append(said("span", verdict, `verdict ${verdict}`));
    if (anchor) {
      const link = said("a", where);
      link.href = `#${anchor}`;
      cells[2].append(link);
    }
    row.append(...cells);
  }
  function matches(row, asked) {
    const words = asked.text.toLowerCase();
    return (
      (!asked.case || row[0] === asked.case) &&
      (!asked.verdict || row[1] === asked.verdict) &&
      (!words || `${row[3]}\n${row[4]}\n${row[5]}`.toLowerCase().includes(words))
    );
  }
  lead("results", filtered(data.rows, body, "results", matches, add));
})();
