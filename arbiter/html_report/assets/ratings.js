// Ratings with their errors, and how they came to be.

const eloText = (one) => `${signed(one.elo, 0)} ± ${one.error.toFixed(0)}`;
// What is not certain does not look so.
const likelihoodText = (value) => (value >= 99.95 && value < 100 ? "more than 99.9 %" : `${value.toFixed(1)} %`);

function showRatings(data) {
  const { ratings, warnings, leader_is_best: best } = data.ratings;
  const rows = ratings.map((one, index) => ({
    ...one, text: eloText(one), low: one.elo - one.error, high: one.elo + one.error,
    place: data.bots.indexOf(one.name), next: ratings[index + 1]?.name,
  }));
  if (!data.tournament.played) {
    show("ratings", el("p", {}, "There is no rating before the first match has ended."));
    return;
  }
  const series = data.bots.map((name, index) => ({ name, values: data.progress.elo[index] }));
  show("ratings",
    el("p", {}, "Bradley–Terry ratings of all results together, on the scale of Elo: 100 more mean an expected score of 64 %, 400 more one of 91 %. The average of the bots is 0. The bars are 95 % intervals.",
      best === null ? "" : ` With a likelihood of ${likelihoodText(best)}, ${rows[0].name} is really the strongest of them.`),
    warnings.length ? el("ul", { class: "warnings", "aria-label": "What to know about these ratings" }, warnings.map((text) => el("li", {}, text))) : null,
    ratingPlot(rows),
    sortableTable("ratings", "Ratings with their 95 % errors", [
      nameColumn(),
      figure("Elo", "Rating", (row) => row.elo, (row) => signed(row.elo, 0)),
      figure("±", "Half of the 95 % interval", (row) => row.error, (row) => row.error.toFixed(0)),
      figure("Better than next", "Likelihood of being stronger than the next in this list", (row) => row.los_next, (row) => (row.los_next === null ? null : likelihoodText(row.los_next))),
      figure("Opponents", "Average rating of the opponents, weighted by matches", (row) => row.opponents, (row) => (row.opponents === null ? null : signed(row.opponents, 0))),
      figure("Per deal", "Game points per deal minus those of the opponents", (row) => row.points_per_deal, (row) => (row.points_per_deal === null ? null : signed(row.points_per_deal, 3))),
      figure("± ", "Half of its 95 % interval", (row) => row.points_per_deal_error, (row) => (row.points_per_deal_error === null ? null : row.points_per_deal_error.toFixed(3))),
    ], rows),
    el("h3", {}, "During the tournament"),
    progressPlot(data.progress.matches, series),
    el("div", { class: "legends narrow-only" }, legend(series.slice(0, COLOURS).map((one, index) => ({ name: one.name, mark: colour(index) })))),
    el("p", { class: "key" }, series.length > COLOURS ? "Ratings after so many matches; in grey all bots after the eighth." : "Ratings after so many matches."));
}
