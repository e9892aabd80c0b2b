// What is drawn where, and which of the data it shows.

const PARTS = [
  { id: "title", draw: showTitle, of: ["tournament", "standings"] },
  { id: "standings", draw: showStandings, of: ["standings", "ratings"] },
  { id: "ratings", draw: showRatings, of: ["tournament", "bots", "ratings", "progress"] },
  { id: "cross", draw: showCross, of: ["bots", "cross"] },
  { id: "endings", draw: showEndings, of: ["bots", "endings"] },
  { id: "times", draw: showTimes, of: ["bots", "standings", "times"] },
  { id: "matches", draw: showMatches, of: ["bots", "matches", "left_out"] },
];
