// One match, card by card.

const PAUSE_MS = 900;

function cardView(card, { trump, fresh, known, small } = {}) {
  const red = card[1] === "D" || card[1] === "H";
  const kind = ["card", red ? "red" : "black", card[1] === trump && "trump", fresh && "fresh", known && "known", small && "small"];
  return el("span", { class: kind.filter(Boolean).join(" "), role: "img", "aria-label": cardName(card), "data-card": card },
    el("span", { class: "rank", "aria-hidden": "true" }, card[0] === "T" ? "10" : card[0]),
    el("span", { class: "suit", "aria-hidden": "true" }, SYMBOLS[card[1]]));
}
const backView = (count = null) =>
  el("span", { class: "card back", role: "img", "aria-label": count === null ? "hidden card" : `${plural(count, "hidden card")}` },
    count === null ? null : el("span", { class: "count", "aria-hidden": "true" }, String(count)));

// A panel that shows a match at `place` = {deal, step}, from 0; changed(place) is told of every move.
function replayPanel(match, texts, tournament, place, changed) {
  const { bots, deals } = match;
  const positions = new Map(); // of the deals that were looked at
  const scores = deals.reduce((all, deal) => {
    const change = deal.result.over ? deal.result.score_change : [0, 0];
    return [...all, all.at(-1).map((points, seat) => points + change[seat])];
  }, [[0, 0]]);
  let view = "both";
  let timer = null;
  let listed = null;

  const board = el("div", { class: "board" });
  const said = el("p", { class: "said", role: "status", "aria-live": "polite" });
  const steps = el("ol", { class: "steps", "aria-label": "Actions of this deal" });
  const slider = el("input", { type: "range", min: 0, class: "slider", "aria-label": "Action of the deal", oninput: () => go(place.deal, Number(slider.value)) });
  const button = (text, label, action) => el("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
  const play = button("▶ Play", "Play on its own (Space)", () => toggle());
  const back = button("‹", "One action back (←)", () => step(-1));
  const on = button("›", "One action on (→)", () => step(1));
  const first = button("«", "To the start of the deal (Home)", () => go(place.deal, 0));
  const last = button("»", "To the end of the deal (End)", () => go(place.deal, deals[place.deal].steps.length));
  const chooser = el("select", { "aria-label": "Deal", onchange: () => go(Number(chooser.value), 0) },
    deals.map((deal, index) => el("option", { value: index }, `Deal ${deal.number}, at ${scores[index].map((points) => minus(String(points))).join(" : ")}`)));
  const viewer = el("select", { "aria-label": "Hands shown", onchange: () => { view = viewer.value; draw(); } },
    el("option", { value: "both" }, "Both hands"),
    bots.map((name, seat) => el("option", { value: seat }, `As ${name} sees it`)));

  const hidden = () => (view === "both" ? null : 1 - Number(view));

  function go(deal, at) {
    place = { deal: Math.min(Math.max(deal, 0), deals.length - 1) };
    place.step = Math.min(Math.max(at, 0), deals[place.deal].steps.length);
    draw();
    changed(place);
  }

  function step(by) {
    const count = deals[place.deal].steps.length;
    if (by > 0 && place.step === count && place.deal + 1 < deals.length) go(place.deal + 1, 0);
    else if (by < 0 && place.step === 0 && place.deal > 0) go(place.deal - 1, deals[place.deal - 1].steps.length);
    else go(place.deal, place.step + by);
  }

  const atEnd = () => place.deal === deals.length - 1 && place.step === deals[place.deal].steps.length;

  function toggle() {
    if (timer !== null) stop();
    else {
      timer = setInterval(() => { if (atEnd() || !panel.isConnected) stop(); else step(1); }, PAUSE_MS);
      play.textContent = "❚❚ Pause";
      play.setAttribute("aria-pressed", "true");
    }
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶ Play";
    play.setAttribute("aria-pressed", "false");
  }

  function handView(now, seat, deal) {
    const cards = seat === hidden()
      ? [...inOrder(now.known[seat], now.trump).map((card) => cardView(card, { trump: now.trump, known: true })),
        ...Array.from({ length: now.hands[seat].length - now.known[seat].length }, () => backView())]
      : inOrder(now.hands[seat], now.trump).map((card) =>
        cardView(card, { trump: now.trump, fresh: now.fresh.includes(card), known: hidden() === null ? false : now.known[seat].includes(card) }));
    const marks = [
      deal.dealer === seat ? el("span", { class: "mark-text" }, "dealer") : null,
      now.closer === seat ? el("span", { class: "mark-text closed" }, "closed") : null,
    ];
    return el("div", { class: "seat", "data-seat": seat, "data-points": now.points[seat], "data-tricks": now.tricks[seat] },
      el("div", { class: "who" },
        el("strong", {}, bots[seat]), marks,
        el("span", { class: "counts" }, `${plural(now.points[seat], "point")}, ${plural(now.tricks[seat], "trick")}`)),
      el("div", { class: "hand", role: "group", "aria-label": `Hand of ${bots[seat]}` }, cards.length ? cards : el("span", { class: "empty" }, "no cards")));
  }

  function middleView(now) {
    // Face down, with a turn-up that lies under the rest or, closed, face down on it.
    const talon = el("div", { class: "talon", role: "group", "aria-label": "Talon", "data-left": now.talon.length, "data-turn-up": now.turnUp ?? "" },
      now.talon.length ? backView(now.talon.length) : null,
      now.turnUp ? el("span", { class: now.closer === null ? "under" : "under turned" }, cardView(now.turnUp, { trump: now.trump })) : null,
      el("span", { class: "trump-text" }, "trump ", el("span", { class: "DH".includes(now.trump) ? "red-text" : "" }, SYMBOLS[now.trump]),
        el("span", { class: "sr" }, SUIT_NAMES[now.trump])));
    const trick = el("div", { class: "trick", role: "group", "aria-label": "On the table" },
      now.table.map(({ seat, card }) => el("span", { class: now.won === seat ? "played winner" : "played", "data-played": seat },
        cardView(card, { trump: now.trump }), el("small", {}, now.won === seat ? `${bots[seat]} ✓` : bots[seat]))),
      now.table.length ? null : el("span", { class: "empty" }, "–"));
    return el("div", { class: "middle" }, talon, trick);
  }

  function draw() {
    const deal = deals[place.deal];
    if (!positions.has(deal)) positions.set(deal, positionsOf(deal));
    const now = positions.get(deal)[place.step];
    const over = place.step === deal.steps.length;
    chooser.value = place.deal;
    slider.max = deal.steps.length;
    slider.value = place.step;
    const told = place.step === 0 ? `${bots[deal.dealer]} has dealt, ${bots[deal.leader]} begins.` : stepText(deal.steps[place.step - 1], bots, hidden());
    slider.setAttribute("aria-valuetext", `${place.step} of ${deal.steps.length}: ${told}`);
    said.replaceChildren(told, over ? el("strong", {}, ` ${endText(deal, bots, texts.reasons)}`) : "");
    board.replaceChildren(handView(now, 1, deal), middleView(now), handView(now, 0, deal));
    const after = over ? scores[place.deal + 1] : scores[place.deal];
    score.textContent = `Match ${after.map((points) => minus(String(points))).join(" : ")} (to ${tournament.target})`;
    if (listed?.deal !== deal || listed.view !== view) {
      listed = { deal, view };
      steps.replaceChildren(...deal.steps.map((one, index) => el("li", {},
        el("button", { type: "button", onclick: () => go(place.deal, index + 1) },
          el("span", {}, stepText(one, bots, hidden()), one[7] ? el("q", {}, one[7]) : null),
          el("small", {}, one[4] === undefined || one[4] === null ? "" : duration(one[4]))))));
    }
    steps.querySelector(".now")?.removeAttribute("aria-current");
    steps.querySelector(".now")?.classList.remove("now");
    const current = steps.children[place.step - 1]?.firstChild;
    current?.classList.add("now");
    current?.setAttribute("aria-current", "step");
    // Within the list alone: the page itself stays where it is.
    steps.scrollTop = current ? current.offsetTop - steps.clientHeight / 2 : 0;
    back.disabled = place.step === 0 && place.deal === 0;
    on.disabled = atEnd();
  }

  const score = el("span", { class: "score" });
  const keys = {
    ArrowRight: () => step(1), ArrowLeft: () => step(-1),
    Home: () => go(place.deal, 0), End: () => go(place.deal, deals[place.deal].steps.length),
    PageDown: () => go(place.deal + 1, 0), PageUp: () => go(place.deal - 1, 0),
    " ": () => toggle(),
  };
  function pressed(event) {
    const away = deals.length === 0 || event.target.closest("select") || (event.key === " " && event.target.closest("button"));
    if (away || event.altKey || event.ctrlKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  const ending = match.reason === "target" ? "" : ` (${texts.ends[match.reason]}${match.detail ? `: ${match.detail}` : ""})`;
  const panel = el("div", { class: "replay", tabindex: -1, role: "group", "aria-label": `Replay of match ${match.id}`, onkeydown: pressed },
    el("div", { class: "replay-head" },
      el("h3", {}, `Match ${match.id}: ${bots[0]} – ${bots[1]} ${match.score.map((points) => minus(String(points))).join(" : ")}`),
      ending ? el("p", {}, ending.trim()) : null),
    deals.length === 0 ? el("p", {}, "No deal was played.") : [
      el("div", { class: "choices" }, chooser, viewer, score),
      el("div", { class: "table-and-steps" },
        el("div", {}, board, said,
          el("div", { class: "controls" }, first, back, play, on, last), slider,
          el("p", { class: "help" }, el("kbd", {}, "←"), el("kbd", {}, "→"), " step, ", el("kbd", {}, "Home"), el("kbd", {}, "End"), " of the deal, ", el("kbd", {}, "Page ↑↓"), " deals, ", el("kbd", {}, "Space"), " play")),
        steps),
    ]);
  if (deals.length) go(place.deal, place.step);
  return panel;
}
