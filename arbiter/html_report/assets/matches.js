// The list of the matches, and the one that is replayed. A link ends in #match=ID/DEAL/ACTION.

const ROWS = 12;
let addressTimer = null;
let opening = null;
let listed = null; // the data that are shown
const matchNotes = el("div");
const matchList = el("div");
const wanted = { bot: "", other: "", faults: false };

const dealCount = (match) => match.deals?.length ?? match.played;

// The page of a tournament that is being played gets the deals of a match when somebody wants to see them.
async function dealsOf(match) {
  const answer = await fetch(`matches/${match.id}`);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

function openMatch(id, place, focus) {
  const match = listed.matches.find((one) => one.id === id);
  if (!match) return;
  opening = id;
  if (match.deals) {
    showReplay(match, place, focus);
    return;
  }
  dealsOf(match).then((deals) => {
    match.deals = deals;
    if (opening === id) showReplay(match, place, focus);
  }, () => byId("replay").replaceChildren(
    el("p", { class: "note", role: "alert" }, `The deals of match ${id} cannot be loaded now; “arbiter report” and “arbiter show” have them.`)));
}

function showReplay(match, place, focus) {
  const panel = replayPanel(match, listed.texts, listed.tournament, place, ({ deal, step }) => {
    // Browsers refuse a page that changes its address at every stroke of a key that is held down.
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => history.replaceState(null, "", `#match=${match.id}/${deal + 1}/${step}`), 250);
  });
  byId("replay").replaceChildren(panel);
  if (focus) {
    panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "start" });
  }
}

function followLink() {
  const [, id, deal, step] = /^#match=([^/]+)(?:\/(\d+))?(?:\/(\d+))?/.exec(location.hash) ?? [];
  if (id) openMatch(id, { deal: Number(deal ?? 1) - 1, step: Number(step ?? 0) }, true);
}

function listMatches() {
  const rows = listed.matches.filter((match) =>
    (!wanted.bot || match.bots.includes(wanted.bot)) && (!wanted.other || match.bots.includes(wanted.other)) &&
    (!wanted.faults || match.faults[0] + match.faults[1] > 0));
  const winner = (row) => (row.winner === null ? "" : row.bots[row.winner]);
  const end = (row) => listed.texts.ends[row.reason] + (row.detail ? ` (${row.detail})` : "");
  matchList.replaceChildren(
    el("p", { role: "status" }, plural(rows.length, "match", "matches")),
    ...sortableTable("matches", "Matches that can be replayed", [
      { label: "Match", title: "Number of the pair and of the match", value: (row) => row.id, text: true, show: (row) =>
        el("button", { type: "button", class: "open", "aria-label": `Replay match ${row.id}`, onclick: () => openMatch(row.id, { deal: 0, step: 0 }, true) }, `▶ ${row.id}`) },
      { label: "Seat 0", title: "Bot in seat 0", value: (row) => row.bots[0], text: true },
      { label: "Seat 1", title: "Bot in seat 1", value: (row) => row.bots[1], text: true },
      figure("Score", "Game points of seat 0 and seat 1", (row) => row.score[0] - row.score[1], (row) => minus(row.score.join(" : "))),
      { label: "Winner", title: "Who won the match", value: winner, show: (row) => winner(row) || null, text: true },
      figure("Deals", "Deals played", dealCount, (row) => String(dealCount(row))),
      figure("Faults", "Faults of seat 0 and seat 1", (row) => row.faults[0] + row.faults[1], (row) => row.faults.join(" : ")),
      { label: "End", title: "Why the match ended", value: end, text: true },
    ], rows, ROWS));
}

function matchFilters(bots) {
  const chooser = (key, text, label) => el("label", {}, text,
    el("select", { "aria-label": label, onchange: (event) => { wanted[key] = event.target.value; listMatches(); } },
      el("option", { value: "" }, "any bot"), bots.map((name) => el("option", { value: name }, name))));
  return el("div", { class: "filters" }, chooser("bot", "of ", "Matches of this bot"), chooser("other", "and ", "and of this bot"),
    el("label", {}, el("input", { type: "checkbox", onchange: (event) => { wanted.faults = event.target.checked; listMatches(); } }), " with faults only"));
}

function showMatches(data) {
  const first = listed === null;
  listed = data;
  // What somebody may be choosing from stays as it is when there are more matches.
  if (first) show("matches", el("p", {}, "Choose a match to replay it card by card."), matchNotes, matchFilters(data.bots), matchList);
  const { hidden, limit } = data.left_out;
  const notes = [
    limit ? `${plural(limit, "more match", "more matches")} cannot be replayed here, to keep this page small; “arbiter report --matches all” has all of them, and “arbiter show” each one.` : null,
    hidden ? `${plural(hidden, "match is", "matches are")} not shown, because the same cards may still be played in another one.` : null,
  ];
  matchNotes.replaceChildren(...notes.filter(Boolean).map((text) => el("p", { class: "note" }, text)));
  listMatches();
  if (!first) return;
  followLink();
  window.onhashchange = followLink;
}
