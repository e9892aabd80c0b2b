// The sections of the page, each from the data alone.

const WON = [
  { key: "claimed", name: "correct claim", mark: "var(--won-1)" },
  { key: "given", name: "the other’s false claim or failed close", mark: "var(--won-2)" },
  { key: "unclaimed", name: "last trick or higher total", mark: "var(--won-3)" },
  { key: "won_by_forfeit", name: "the other’s forfeit", mark: "var(--won-4)" },
];
const LOST = [
  { key: "lost_to_claim", name: "the other’s claim", mark: "var(--lost-1)" },
  { key: "false_claims", name: "own false claim", mark: "var(--lost-2)" },
  { key: "failed_closes", name: "own failed close", mark: "var(--lost-3)" },
  { key: "lost_unclaimed", name: "last trick or higher total", mark: "var(--lost-4)" },
  { key: "forfeits", name: "own forfeit", mark: "var(--lost-5)" },
];
const MIDDLE = [{ key: "neither", name: "nobody", mark: "var(--muted)" }];

const show = (id, ...content) => byId(id).querySelector(".content").replaceChildren(...content.flat().filter((part) => part !== null));
const figure = (label, name, value, display) => ({ label, title: name, value, show: display });
const nameColumn = (value = (row) => row.name) => ({ label: "Bot", title: "Name of the bot", value, text: true });

function showTitle(data) {
  const { tournament, standings } = data;
  const first = standings.filter((one) => one.rank === 1);
  const facts = [
    ["Rules", tournament.rules],
    ["Bots", whole(standings.length)],
    ["Matches", tournament.finished ? whole(tournament.played) : `${whole(tournament.played)} of ${whole(tournament.scheduled)}`],
    ["Deals", whole(tournament.deals)],
    ["Decisions", whole(tournament.decisions)],
  ];
  if (tournament.void) facts.push(["Void matches", whole(tournament.void)]);
  const leader = tournament.played
    ? el("p", { class: "lead" }, el("strong", {}, first.map((one) => one.name).join(", ")),
      ` ${first.length > 1 ? "share the first place" : tournament.finished ? "takes the first place" : "leads"}: `,
      `${plural(first[0].won, "win")}, ${plural(first[0].lost, "defeat")}, ${plural(first[0].drawn, "draw")}.`)
    : el("p", { class: "lead" }, "No match has ended yet.");
  byId("title").replaceChildren(
    el("p", { class: "suits", "aria-hidden": "true" }, "♣", el("span", {}, "♦"), "♠", el("span", {}, "♥")),
    el("h1", {}, tournament.name),
    el("p", { class: "date" }, el("time", { datetime: tournament.created }, tournament.created.slice(0, 16).replace("T", " ")), " UTC"),
    leader,
    el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))));
}

function showStandings(data) {
  const rated = new Map(data.ratings.ratings.map((one) => [one.name, one]));
  const rows = data.standings.map((one) => ({
    ...one,
    rating: rated.get(one.name),
    share: one.matches ? (one.won + one.drawn / 2) / one.matches : null,
    perDeal: one.deals ? (one.game_points - one.game_points_against) / one.deals : null,
  }));
  show("standings", sortableTable("standings", "Standings: wins, half the draws, then the difference of game points", [
    nameColumn(),
    figure("#", "Rank", (row) => row.rank, (row) => String(row.rank)),
    figure("Elo", "Rating with its 95 % error", (row) => row.rating?.elo ?? null, (row) => row.rating && eloText(row.rating)),
    figure("Won", "Matches won", (row) => row.won),
    figure("Lost", "Matches lost", (row) => row.lost),
    figure("Drawn", "Matches drawn", (row) => row.drawn),
    figure("Score", "Share of the matches won, a draw as half", (row) => row.share, (row) => row.share === null ? null : percent(row.share, 1)),
    figure("Points", "Game points for and against", (row) => row.game_points - row.game_points_against, (row) => `${minus(String(row.game_points))} : ${minus(String(row.game_points_against))}`),
    figure("Deals", "Deals played", (row) => row.deals, (row) => whole(row.deals)),
    figure("Per deal", "Difference of game points for each deal", (row) => row.perDeal, (row) => row.perDeal === null ? null : signed(row.perDeal, 3)),
    figure("Faults", "Faults of any kind", (row) => row.faults),
    figure("Mean", "Mean time per decision, milliseconds", (row) => (row.worst_ms ? row.mean_ms : null), (row) => (row.worst_ms ? `${row.mean_ms.toFixed(2)} ms` : null)),
    figure("Worst", "Longest decision, milliseconds", (row) => row.worst_ms || null, (row) => (row.worst_ms ? `${row.worst_ms.toFixed(1)} ms` : null)),
  ].map((column) => ({ ...column, show: column.show ?? ((row) => String(column.value(row))) })), rows));
}

let measureShown = 0;

// Blue and orange differ for nearly every eye; the figures say the same without them.
function showCross(data) {
  const measures = [
    { name: "match score", text: (one) => `${one.won}–${one.lost}${one.drawn ? `–${one.drawn}` : ""}`, share: (one) => (one.won + one.drawn / 2) / (one.won + one.drawn + one.lost) },
    { name: "game points per deal", text: (one) => signed((one.points - one.against) / one.deals, 2), share: (one) => 0.5 + (one.points - one.against) / one.deals / 4 },
  ];
  const [played, measured] = [(one) => one.won + one.drawn + one.lost > 0, (one) => one.deals > 0];
  const table = el("table", { class: data.bots.length > 10 ? "heat many" : "heat" });
  const draw = () => {
    const [measure, has] = [measures[measureShown], measureShown ? measured : played];
    const numbers = data.bots.map((name, index) => el("th", { scope: "col", title: name }, el("abbr", { title: name }, String(index + 1))));
    table.replaceChildren(
      el("caption", {}, `Each bot (row) against each other (column): ${measure.name}`),
      el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "text" }, "Bot"), numbers)),
      el("tbody", {}, data.cross.map((row, index) => el("tr", {},
        el("th", { scope: "row", class: "text" }, el("span", { class: "place" }, String(index + 1)), data.bots[index]),
        row.map((one, column) => {
          if (one === null) return el("td", { class: "self", "aria-label": "itself" });
          if (!has(one)) return el("td", { class: "unplayed" }, "·");
          const strength = Math.min(1, Math.abs(measure.share(one) - 0.5) * 2);
          const both = `${data.bots[index]} against ${data.bots[column]}: ${plural(one.won, "win")}, ${plural(one.lost, "defeat")}, ${plural(one.drawn, "draw")}; ${plural(one.deals, "deal")}, game points ${one.points} : ${one.against}`;
          return el("td", { class: measure.share(one) >= 0.5 ? "better" : "worse", title: both, vars: { "--strength": `${(60 * strength).toFixed(0)}%` } }, measure.text(one));
        })))));
  };
  const choices = measures.map((measure, index) => el("label", {},
    el("input", { type: "radio", name: "cross-measure", checked: index === measureShown, onchange: () => { measureShown = index; draw(); } }), ` ${measure.name}`));
  draw();
  show("cross",
    el("fieldset", { class: "choice" }, el("legend", {}, "Show"), choices),
    scrolling("Cross-table", table),
    el("p", { class: "key" }, "won–lost, and –drawn where there were draws", el("span", { class: "scale", "aria-hidden": "true" }), "worse to better"));
}

function showEndings(data) {
  const rows = data.endings.map((one, index) => {
    const neither = one.nobody + one.unfinished;
    const deals = [...WON, ...LOST].reduce((total, part) => total + one[part.key], neither);
    return { ...one, name: data.bots[index], neither, deals };
  });
  const used = (parts) => parts.filter((part) => rows.some((row) => row[part.key]));
  const faults = (row) => Object.entries(row.faults).map(([name, count]) => `${name.replace("_", " ")} ${count}`).join(", ");
  const count = (label, title, key) => figure(label, title, (row) => row[key], (row) => whole(row[key]));
  show("endings",
    el("p", {}, "Shares of all deals of a bot: to the right of the line those that it won, to the left those that it lost."),
    rows.some((row) => row.deals) ? sharesPlot("How the deals of each bot ended; the table below has the figures", rows, WON, LOST, MIDDLE) : null,
    el("div", { class: "legends" },
      [["lost by", LOST], ["won by", WON], ["won by", MIDDLE]].filter(([, parts]) => used(parts).length)
        .map(([heading, parts]) => el("div", {}, el("h3", {}, heading), legend(used(parts))))),
    sortableTable("endings", "How the deals of each bot ended", [
      nameColumn(),
      count("Deals", "Deals played", "deals"),
      count("Claims", "Claims made, correct or not", "claims"),
      count("False claims", "Deals lost by a false claim, without having closed", "false_claims"),
      count("Closed", "Deals in which the bot closed the talon", "closings"),
      count("won", "Of the deals that it closed, those that it won", "closings_won"),
      count("lost", "Of the deals that it closed, those that it lost, by whatever", "closings_lost"),
      count("Schneider", "Deals won by a claim or the last trick that were worth 2: the other had fewer than 33 points", "schneider"),
      count("Schwarz", "Deals won by a claim or the last trick that were worth 3: the other had no trick", "schwarz"),
      count("Forfeits", "Deals lost by a fault", "forfeits"),
      { label: "by", title: "Kinds of the faults", value: faults, show: (row) => faults(row) || null, text: true },
    ], rows));
}

function showTimes(data) {
  const rows = data.times.map((one, index) => ({ ...one, name: data.bots[index], worst_us: data.standings[index].worst_ms * 1000 }));
  const time = (label, title, key) => figure(label, title, (row) => (row.decisions ? row[key] : null), (row) => (row.decisions ? duration(row[key]) : null));
  show("times",
    el("p", {}, "What counts on the clock: without the allowance for the network and without forced actions. The scale is logarithmic; before it stands the share of answers that came within the allowance."),
    rows.some((row) => row.decisions) ? timesPlot(rows) : null,
    sortableTable("times", "Time per decision", [
      nameColumn(),
      figure("Decisions", "Decisions that were not forced", (row) => row.decisions, (row) => whole(row.decisions)),
      time("Median", "Half of the decisions took no longer", "median_us"),
      time("95 %", "So many of the decisions took no longer", "p95_us"),
      time("99 %", "So many of the decisions took no longer", "p99_us"),
      time("Longest", "The longest decision", "worst_us"),
    ], rows));
}
