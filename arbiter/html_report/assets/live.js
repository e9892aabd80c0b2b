// The page of a tournament that is being played: its server sends what there is to draw.

const AGAIN_MS = 3000;
const matches = new Map(); // by id, the latest
const drawn = new Map(); // by part, what it shows, as text
let figures = null;

const clock = (seconds) => {
  const whole = Math.max(0, Math.round(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return h ? `${h} h ${m} min` : m ? `${m} min ${s} s` : `${s} s`;
};

function makeRoom() {
  const section = el("section", { id: "now", "aria-labelledby": "now-title" },
    el("h2", { id: "now-title" }, "Now"),
    el("p", { id: "connection", class: "key", role: "status" }, "Connecting…"),
    el("div", { id: "playing" }), el("div", { id: "faults" }));
  byId("standings").before(section);
  document.querySelector(".top nav").prepend(el("a", { href: "#now" }, "Now"));
  const { name } = JSON.parse(byId("data").textContent).tournament;
  byId("title").replaceChildren(el("h1", {}, name), el("p", { class: "lead" }, "Waiting for the first figures."));
}

const connection = (text, kind) => {
  const line = byId("connection");
  if (line.textContent !== text) line.textContent = text;
  line.className = kind;
};

const focusable = (part) => [...part.querySelectorAll("a, button, select, input, [tabindex]")];

// Draws a part of the page anew for somebody who is reading it, or has the focus in it.
function redraw({ id, draw, of }) {
  const part = byId(id);
  const text = JSON.stringify(of.map((name) => figures[name]));
  const active = part.contains(document.activeElement) ? document.activeElement : null;
  if (drawn.get(id) === text) return;
  drawn.set(id, text);
  const place = active && !active.closest("#replay") ? focusable(part).indexOf(active) : -1;
  const scrolled = [...part.querySelectorAll(".scroll")].map((box) => [box.getAttribute("aria-label"), box.scrollLeft]);
  // Plots have no height until they are drawn; without it the page would jump.
  part.style.minHeight = `${part.offsetHeight}px`;
  draw(figures);
  for (const [label, left] of scrolled) {
    const box = [...part.querySelectorAll(".scroll")].find((one) => one.getAttribute("aria-label") === label);
    if (box) box.scrollLeft = left;
  }
  if (place >= 0 && !part.contains(document.activeElement)) focusable(part)[place]?.focus({ preventScroll: true });
  requestAnimationFrame(() => requestAnimationFrame(() => { part.style.minHeight = ""; }));
}

function takeFigures(data) {
  for (const match of data.matches) if (!matches.has(match.id)) matches.set(match.id, match);
  const latest = [...matches.values()].sort((a, b) => collator.compare(a.started, b.started) || collator.compare(a.id, b.id));
  for (const match of latest.slice(0, -data.most_matches)) matches.delete(match.id);
  figures = { ...data, matches: latest.slice(-data.most_matches).reverse() };
  for (const part of PARTS) redraw(part);
  showFaults();
}

const faultRow = ({ match, deal, bot, fault }) => el("li", {},
  el("strong", {}, bot), deal ? `: ${fault.replaceAll("_", " ")}, match ${match}, deal ${deal}` : `: lost match ${match} before its first deal`);

function showFaults() {
  const { faults, behind } = figures;
  byId("faults").replaceChildren(...[
    faults.length
      ? [el("h3", {}, "Latest faults"), el("ul", { class: "faults" }, faults.slice(0, 8).map(faultRow))]
      : el("p", { class: "key" }, "No fault so far."),
    behind ? el("p", { class: "note" }, `The deals of ${plural(behind, "match", "matches")} are still to be counted below.`) : [],
  ].flat());
}

function showNow(now) {
  const running = now.state === "running";
  const facts = [
    ["Matches in play", whole(now.playing)],
    ["Matches a second", now.per_second === null ? "–" : now.per_second.toPrecision(2)],
    ["Time left", running && now.seconds_left !== null ? clock(now.seconds_left) : "–"],
  ];
  const scroll = byId("playing").querySelector(".scroll")?.scrollLeft ?? 0;
  byId("playing").replaceChildren(...[
    el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    now.tables.length
      ? scrolling("Matches in play", el("table", { id: "tables" },
        el("caption", {}, "Matches in play"),
        el("thead", {}, el("tr", {}, ["Match", "Seat 0", "Seat 1", "Score", "Deal", "Time"].map((name, index) =>
          el("th", { scope: "col", class: index < 3 ? "text" : "figure" }, name)))),
        el("tbody", {}, now.tables.map((one) => el("tr", {},
          el("th", { scope: "row", class: "text" }, one.match_id),
          one.bots.map((name) => el("td", { class: "text" }, name)),
          el("td", {}, minus(one.score.join(" : "))), el("td", {}, String(one.deal)), el("td", {}, clock(one.seconds)))))))
      : null,
    now.playing > now.tables.length ? el("p", { class: "key" }, `and ${whole(now.playing - now.tables.length)} more`) : null,
  ].filter(Boolean));
  const box = byId("playing").querySelector(".scroll");
  if (box) box.scrollLeft = scroll;
  // Matches come and go; what is read below stays where it is.
  byId("playing").style.minHeight = running ? `${byId("playing").offsetHeight}px` : "";
}

function follow() {
  const source = new EventSource("events");
  const heard = (kind, take) => source.addEventListener(kind, (message) => take(JSON.parse(message.data)));
  heard("figures", takeFigures);
  heard("now", (now) => {
    connection("Live: this page changes by itself.", "key");
    showNow(now);
  });
  heard("end", (now) => {
    source.close();
    showNow(now);
    connection(now.state === "finished"
      ? "The tournament has ended. This page stays as it is until you leave it; “arbiter report” makes one to keep."
      : "The organiser has stopped the tournament. This page stays as it is; reload it when the tournament goes on.", "note");
  });
  source.addEventListener("error", () => {
    connection("The connection is lost; trying again…", "note");
    // Browsers give up by themselves where the answer was an error.
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, AGAIN_MS);
  });
}

makeRoom();
follow();
