// The list of the matches, and the one that is replayed. A link ends in #match=ID/DEAL/ACTION.

const ROWS = 12;
let addressTimer = null;
const wanted = { bot: "", other: "", faults: false };

function showMatches(data) {
  const list = el("div");
  const byKey = new Map(data.matches.map((match) => [match.id, match]));

  function open(id, place, focus) {
    const match = byKey.get(id);
    if (!match) return;
    const panel = replayPanel(match, data.texts, data.tournament, place, ({ deal, step }) => {
      // Browsers refuse a page that changes its address at every stroke of a key that is held down.
      clearTimeout(addressTimer);
      addressTimer = setTimeout(() => history.replaceState(null, "", `#match=${id}/${deal + 1}/${step}`), 250);
    });
    byId("replay").replaceChildren(panel);
    if (focus) {
      panel.focus({ preventScroll: true });
      panel.scrollIntoView({ block: "start" });
    }
  }

  function fromLink(focus) {
    const [, id, deal, step] = /^#match=([^/]+)(?:\/(\d+))?(?:\/(\d+))?/.exec(location.hash) ?? [];
    if (id) open(id, { deal: Number(deal ?? 1) - 1, step: Number(step ?? 0) }, focus);
  }

  function draw() {
    const rows = data.matches.filter((match) =>
      (!wanted.bot || match.bots.includes(wanted.bot)) && (!wanted.other || match.bots.includes(wanted.other)) &&
      (!wanted.faults || match.faults[0] + match.faults[1] > 0));
    const winner = (row) => (row.winner === null ? "" : row.bots[row.winner]);
    const end = (row) => data.texts.ends[row.reason] + (row.detail ? ` (${row.detail})` : "");
    list.replaceChildren(
      el("p", { role: "status" }, plural(rows.length, "match", "matches")),
      ...sortableTable("matches", "Matches that can be replayed", [
        { label: "Match", title: "Number of the pair and of the match", value: (row) => row.id, text: true, show: (row) =>
          el("button", { type: "button", class: "open", "aria-label": `Replay match ${row.id}`, onclick: () => open(row.id, { deal: 0, step: 0 }, true) }, `▶ ${row.id}`) },
        { label: "Seat 0", title: "Bot in seat 0", value: (row) => row.bots[0], text: true },
        { label: "Seat 1", title: "Bot in seat 1", value: (row) => row.bots[1], text: true },
        figure("Score", "Game points of seat 0 and seat 1", (row) => row.score[0] - row.score[1], (row) => minus(row.score.join(" : "))),
        { label: "Winner", title: "Who won the match", value: winner, show: (row) => winner(row) || null, text: true },
        figure("Deals", "Deals played", (row) => row.deals.length, (row) => String(row.deals.length)),
        figure("Faults", "Faults of seat 0 and seat 1", (row) => row.faults[0] + row.faults[1], (row) => row.faults.join(" : ")),
        { label: "End", title: "Why the match ended", value: end, text: true },
      ], rows, ROWS));
  }

  const chooser = (key, text, name) => el("label", {}, text,
    el("select", { "aria-label": name, onchange: (event) => { wanted[key] = event.target.value; draw(); } },
      el("option", { value: "" }, "any bot"), data.bots.map((name) => el("option", { value: name, selected: wanted[key] === name }, name))));
  const { hidden, limit } = data.left_out;
  const notes = [
    limit ? `${plural(limit, "more match", "more matches")} cannot be replayed here, to keep this page small; “arbiter report --matches all” has all of them, and “arbiter show” each one.` : null,
    hidden ? `${plural(hidden, "match is", "matches are")} not shown, because the same cards may still be played in another one.` : null,
  ];
  draw();
  show("matches",
    el("p", {}, "Choose a match to replay it card by card."),
    notes.filter(Boolean).map((text) => el("p", { class: "note" }, text)),
    el("div", { class: "filters" }, chooser("bot", "of ", "Matches of this bot"), chooser("other", "and ", "and of this bot"),
      el("label", {}, el("input", { type: "checkbox", checked: wanted.faults, onchange: (event) => { wanted.faults = event.target.checked; draw(); } }), " with faults only")),
    list);
  fromLink(true);
  window.onhashchange = () => fromLink(true);
}
