"use strict";
// Shared by all pages: the data, the plots, the theme, a list to filter, and places to lead to.
const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;

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

label();

// A list that a form narrows, a hundred rows at a time.
// matches(row, asked): whether a row is wanted; add(row): shows it; noun: what the rows are.
// prefix: stands before the ids of the form "filters", the button "more" and the line "count".
function filtered(rows, body, noun, matches, add, prefix = "") {
  const STEP = 100;
  const filters = document.getElementById(`${prefix}filters`);
  const more = document.getElementById(`${prefix}more`);
  let shown = STEP;
  function show() {
    const asked = Object.fromEntries(new FormData(filters));
    const found = rows.filter((row) => matches(row, asked));
    body.replaceChildren();
    found.slice(0, shown).forEach(add);
    more.hidden = found.length <= shown;
    document.getElementById(`${prefix}count`).textContent =
      `${found.length} of ${rows.length} ${noun}` + (found.length > shown ? `, the first ${shown} shown` : "");
  }
  function afresh() {
    shown = STEP;
    show();
  }
  filters.addEventListener("input", afresh);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => setTimeout(afresh));
  more.addEventListener("click", () => {
    shown += STEP;
    show();
  });
  show();
  return (asked) => {
    for (const field of filters.querySelectorAll("[name]")) field.value = asked.get(field.name) ?? "";
    afresh();
  };
}

// Addresses: "#results?case=ML-U3" filters the list in that section; any other place is opened and shown.
function lead(section, ask) {
  function go() {
    const [address, query] = location.hash.slice(1).split("?");
    const name = decodeURIComponent(address);
    if (name === section && query) ask(new URLSearchParams(query));
    const place = document.getElementById(name);
    if (!place) return;
    for (let held = place.closest("details"); held; held = held.parentElement.closest("details")) held.open = true;
    place.querySelector(":scope > details")?.setAttribute("open", "");
    place.scrollIntoView();
    if (place.tabIndex === -1) place.focus({ preventScroll: true });
  }
  addEventListener("hashchange", go);
  go();
}

// A text as an element; never read as markup.
function said(kind, text, name) {
  const made = document.createElement(kind);
  made.textContent = text;
  if (name) made.className = name;
  else made.dir = "auto";
  return made;
}
