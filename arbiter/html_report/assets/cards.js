// The cards of a deal after each step. The engine has played the deal already: here cards only change place.

const RANKS = "ATKQJ9";
const SUITS = "CDHS";
const SYMBOLS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const RANK_NAMES = { A: "ace", T: "ten", K: "king", Q: "queen", J: "jack", 9: "nine" };
const SUIT_NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

const cardText = (card) => (card[0] === "T" ? "10" : card[0]) + SYMBOLS[card[1]];
const cardName = (card) => `${RANK_NAMES[card[0]]} of ${SUIT_NAMES[card[1]]}`;
const cardsOf = (text) => text.match(/../g) ?? [];

// Trumps first, then by suit, high cards first.
function inOrder(cards, trump) {
  const place = (card) => (card[1] === trump ? 0 : 10 * (1 + SUITS.indexOf(card[1]))) + RANKS.indexOf(card[0]);
  return [...cards].sort((a, b) => place(a) - place(b));
}

// positions[k]: after k steps. known[seat]: cards in its hand that the other seat knows of.
function positionsOf(deal) {
  let now = {
    hands: deal.hands.map(cardsOf), known: [[], []], table: [], won: null, talon: cardsOf(deal.talon), turnUp: deal.turn_up,
    trump: deal.turn_up[1], points: [0, 0], tricks: [0, 0], closer: null, fresh: [],
  };
  const positions = [now];
  for (const [seat, action, first, second, , winner, drawn] of deal.steps) {
    const next = {
      ...now, hands: now.hands.map((hand) => [...hand]), known: now.known.map((cards) => [...cards]), talon: [...now.talon],
      tricks: [...now.tricks], points: [first, second], table: now.won === null ? [...now.table] : [], won: null, fresh: [],
    };
    const [word, ...more] = action.split(" ");
    const leave = (card) => {
      next.hands[seat] = next.hands[seat].filter((held) => held !== card);
      next.known[seat] = next.known[seat].filter((held) => held !== card);
    };
    const show = (card) => { if (!next.known[seat].includes(card)) next.known[seat].push(card); };
    if (word === "exchange") {
      const [given, taken] = more;
      leave(given);
      next.hands[seat].push(taken);
      next.turnUp = given;
      next.fresh = [taken];
      show(taken);
    } else if (word === "marriage") {
      [`K${more[0]}`, `Q${more[0]}`].forEach(show);
    } else if (word === "trump") {
      next.trump = more[0];
      show(more[1]);
    } else if (word === "close") {
      next.closer = seat;
    } else if (word.length === 2) {
      leave(word);
      next.table.push({ seat, card: word });
    }
    if (winner !== undefined && winner !== null) {
      next.won = winner;
      next.tricks[winner] += 1;
    }
    if (drawn) {
      // A trick that was won before the draw stays on the table.
      const leader = winner ?? seat;
      [leader, 1 - leader].forEach((drawer, index) => {
        const card = cardsOf(drawn)[index];
        next.hands[drawer].push(card);
        next.fresh.push(card);
        if (next.turnUp === card) {
          next.turnUp = null;
          next.known[drawer].push(card);
        }
      });
      next.talon = next.talon.filter((card) => !next.fresh.includes(card));
    }
    now = next;
    positions.push(now);
  }
  return positions;
}

// What a step was, in words; `hidden` is a seat whose drawn cards are not to be told.
function stepText(step, bots, hidden) {
  const [seat, action, , , , winner, drawn] = step;
  const name = bots[seat];
  const [word, ...more] = action.split(" ");
  let text;
  if (word === "exchange") text = `${name} exchanges ${cardText(more[0])} for ${cardText(more[1])}`;
  else if (word === "marriage") text = `${name} declares ${SYMBOLS[more[0]]} king and queen for ${more[1]}`;
  else if (word === "trump") text = `${name} shows ${cardText(more[1])} and makes ${SYMBOLS[more[0]]} trump`;
  else if (word === "close") text = `${name} closes the talon`;
  else if (word === "claim") text = `${name} claims to have enough`;
  else if (word === "pass") text = `${name} passes`;
  else if (word === "draw") text = "";
  else text = `${name} plays ${cardText(word)}`;
  if (winner !== undefined && winner !== null) text += winner === seat ? ", and wins the trick" : `; ${bots[winner]} wins the trick`;
  if (drawn) {
    const leader = winner ?? seat;
    const cards = cardsOf(drawn).map((card, index) => ((index ? 1 - leader : leader) === hidden ? "a card" : cardText(card)));
    text += `${text && ". "}${bots[leader]} draws ${cards[0]}, ${bots[1 - leader]} ${cards[1]}`;
  }
  return `${text}.`;
}

// How a deal ended, in words.
function endText(deal, bots, reasons) {
  const { result, forfeit } = deal;
  const fault = forfeit ? ` ${bots[forfeit.seat]} forfeits the deal (${forfeit.fault}): ${forfeit.detail}` : "";
  if (!result.over) return `Broken off: the match ended before the deal did.${fault}`;
  if (result.winner === null) return `Nobody scores: ${reasons[result.reason]}.${fault}`;
  const gained = result.score_change[result.winner];
  const carried = gained === result.game_points ? "" : ` and ${gained - result.game_points} carried over`;
  return `${bots[result.winner]} wins ${plural(result.game_points, "point")}${carried} by ${reasons[result.reason]}.${fault}`;
}
