"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const filters = document.getElementById("filters");
  const body = document.querySelector("#rows tbody");
  const STEP = 100;
  let shown = STEP;

  // Plots: figures are plotly's own; only the theme's colours are added.
  const colour = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  function themed(layout) {
    const axis = { gridcolor: colour("--grid"), linecolor: colour("--line"), zerolinecolor: colour("--grid") };
    return {
      ...layout,
      autosize: true,
      font: { family: "system-ui, sans-serif", size: 13, color: colour("--ink") },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      hoverlabel: { bgcolor: colour("--card"), font: { color: colour("--ink") } },
      xaxis: { ...axis, ...layout.xaxis, title: { font: { size: 13 }, ...layout.xaxis.title } },
      yaxis: { ...axis, ...layout.yaxis, title: { font: { size: 13 }, ...layout.yaxis.title } },
    };
  }
  const drawn = new Set();
  function draw(places) {
    for (const place of places) {
      const plot = data.plots[place];
      Plotly.react(`plot-${place}`, plot.data, themed(plot.layout), { responsive: true, displaylogo: false, displayModeBar: false });
      drawn.add(place);
    }
    // What plotly measures texts with is no picture.
    document.getElementById("js-plotly-tester")?.setAttribute("aria-hidden", "true");
  }

  // A plot is drawn when it comes near: there may be a hundred.
  const near = new IntersectionObserver(
    (seen) => {
      const come = seen.filter((entry) => entry.isIntersecting).map((entry) => +entry.target.id.split("-")[1]);
      draw(come.filter((place) => !drawn.has(place)));
    },
    { rootMargin: "600px" },
  );
  document.querySelectorAll(".plot").forEach((place) => near.observe(place));

  addEventListener("beforeprint", () => draw(data.plots.keys()));

  // Theme: the system's, until the button says otherwise.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  function label() {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
  }
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
    draw(drawn);
  });
  dark.addEventListener("change", () => {
    label();
    draw(drawn);
  });

  // Results: every cell is set as text.
  function cell(row, text, kind) {
    const made = row.insertCell();
    made.textContent = text;
    if (kind) made.className = kind;
    else made.dir = "auto";
    return made;
  }
  function add([check, verdict, where, prompt, reply, why, value, anchor]) {
    const row = body.insertRow();
    cell(row, check, "check");
    const mark = document.createElement("span");
    mark.className = `verdict ${verdict}`;
    mark.textContent = verdict;
    cell(row, "", "v").append(mark);
    if (anchor) {
      const link = document.createElement("a");
      link.href = `#${anchor}`;
      link.textContent = where;
      cell(row, "", "where").append(link);
    } else {
      cell(row, where, "where");
    }
    cell(row, prompt);
    cell(row, reply);
    cell(row, why);
    cell(row, value === null ? "" : value.toFixed(2), "n");
  }
  function filter() {
    const { case: check, verdict, text } = Object.fromEntries(new FormData(filters));
    const words = text.toLowerCase();
    const found = data.rows.filter(
      (row) =>
        (!check || row[0] === check) &&
        (!verdict || row[1] === verdict) &&
        (!words || `${row[3]}\n${row[4]}\n${row[5]}`.toLowerCase().includes(words)),
    );
    body.replaceChildren();
    found.slice(0, shown).forEach(add);
    document.getElementById("more").hidden = found.length <= shown;
    document.getElementById("count").textContent =
      `${found.length} of ${data.rows.length} results` + (found.length > shown ? `, the first ${shown} shown` : "");
  }
  function afresh() {
    shown = STEP;
    filter();
  }
  filters.addEventListener("input", afresh);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(afresh));
  document.getElementById("more").addEventListener("click", () => {
    shown += STEP;
    filter();
  });

  // Places: "#results?case=ML-U3" filters; a round opens the conversation it stands in.
  function go() {
    const [name, query] = decodeURIComponent(location.hash.slice(1)).split("?");
    if (name === "results" && query) {
      const asked = new URLSearchParams(query);
      for (const field of ["case", "verdict", "text"]) filters.elements[field].value = asked.get(field) ?? "";
      afresh();
    }
    const place = document.getElementById(name);
    if (!place) return;
    for (let held = place.closest("details"); held; held = held.parentElement.closest("details")) held.open = true;
    place.querySelector(":scope > details")?.setAttribute("open", "");
    place.scrollIntoView();
    if (place.tabIndex === -1) place.focus({ preventScroll: true });
  }
  addEventListener("hashchange", go);

  label();
  filter();
  go();
})();
