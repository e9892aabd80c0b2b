// Plots as SVG, drawn for the width that there is.

const COLOURS = 8;
const colour = (index) => (index < COLOURS ? `var(--bot-${index + 1})` : "var(--muted)");
const CHARACTER = 7.2; // width of a character in the plots, roughly

// draw(width) gives the SVG; it is drawn again when the width changes.
function plot(label, draw) {
  const box = el("div", { class: "plot" });
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.floor(box.clientWidth);
    if (width === 0 || width === drawn) return;
    drawn = width;
    const picture = draw(width);
    fill(picture, { role: "img", "aria-label": label }, []);
    box.replaceChildren(picture);
  }).observe(box);
  return box;
}

const canvas = (width, height, ...children) =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, ...children);
const line = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });
const label = (x, y, text, anchor = "start", kind = "") =>
  svg("text", { x, y, "text-anchor": anchor, class: kind }, text);
const tip = (text) => svg("title", {}, text);

// Round numbers that divide a range into a few parts.
function ticks(low, high, most, least = 0) {
  const rough = Math.max(least, (high - low) / Math.max(1, most));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) found.push(value);
  return found;
}

function namesWidth(names, width) {
  const longest = Math.max(...names.map((name) => name.length));
  return Math.min(longest * CHARACTER + 12, width * 0.34);
}
const fitted = (name, room) => shortened(name, Math.floor((room - 12) / CHARACTER));

// One row for each bot: its rating and the interval of its error.
function ratingPlot(rows) {
  const low = Math.min(...rows.map((row) => row.low ?? row.elo));
  const high = Math.max(...rows.map((row) => row.high ?? row.elo));
  const pad = Math.max(20, (high - low) * 0.04);
  const texts = rows.map((row) => `${row.name} ${row.text}`);
  return plot(`Ratings with 95 % intervals: ${texts.join("; ")}`, (width) => {
    const left = namesWidth(rows.map((row) => row.name), width);
    const right = width < 520 ? 8 : 104;
    const [rowHeight, foot] = [30, 28];
    const height = rows.length * rowHeight + foot;
    const x = (elo) => left + ((elo - low + pad) / (high - low + 2 * pad)) * (width - left - right);
    const grid = ticks(low - pad, high + pad, Math.max(2, Math.floor((width - left - right) / 80)));
    return canvas(width, height,
      grid.map((elo) => [
        line(x(elo), 4, x(elo), height - foot, "grid"),
        label(x(elo), height - 8, decimal(elo, 0), "middle", "axis"),
      ]).flat(),
      rows.map((row, index) => {
        const y = index * rowHeight + rowHeight / 2 + 2;
        const [from, to] = [x(row.low ?? row.elo), x(row.high ?? row.elo)];
        const parts = [tip(`${row.name}: ${row.text}`), label(0, y + 4, fitted(row.name, left), "start", "name")];
        if (row.low !== null) {
          parts.push(line(from, y, to, y, "whisker"), line(from, y - 5, from, y + 5, "whisker"));
          parts.push(line(to, y - 5, to, y + 5, "whisker"));
        }
        parts.push(row.low === null
          ? svg("path", { d: `M ${x(row.elo)} ${y - 6} l 6 6 l -6 6 l -6 -6 z`, class: "prior" })
          : svg("circle", { cx: x(row.elo), cy: y, r: 5.5, class: "dot" }));
        if (width >= 520) parts.push(label(width, y + 4, row.text, "end", "value"));
        return svg("g", { "data-bot": row.name }, parts);
      }));
  });
}

// Lines over the matches played: matches[k] is the x of series[..].values[k].
function progressPlot(matches, series) {
  const all = [0, ...series.flatMap((one) => one.values)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const pad = Math.max(20, (high - low) * 0.06);
  const last = matches.length - 1;
  const ends = series.map((one) => `${one.name} ${decimal(one.values[last], 0)}`);
  return plot(`Ratings during the tournament; at the end: ${ends.join(", ")}`, (width) => {
    const beside = width >= 600;
    const left = 44;
    const right = beside ? namesWidth(series.map((one) => one.name), width) + 8 : 12;
    const [height, foot, head] = [beside ? 320 : 260, 30, 12];
    const x = (played) => left + (played / matches[last]) * (width - left - right);
    const y = (elo) => head + ((high + pad - elo) / (high - low + 2 * pad)) * (height - head - foot);
    // Of many bots only the best have a colour, and room for their names.
    const labels = series.slice(0, COLOURS)
      .map((one, index) => ({ one, index, at: y(one.values[last]) }))
      .sort((a, b) => a.at - b.at);
    // Names that would lie on each other move down, and then up again from the lower edge.
    labels.forEach((item, index) => { if (index) item.at = Math.max(item.at, labels[index - 1].at + 16); });
    let floor = height - foot + 4;
    for (const item of [...labels].reverse()) { item.at = Math.min(item.at, floor); floor = item.at - 16; }
    return canvas(width, height,
      ticks(low - pad, high + pad, 6).map((elo) => [
        line(left, y(elo), width - right, y(elo), "grid"),
        label(left - 6, y(elo) + 4, decimal(elo, 0), "end", "axis"),
      ]).flat(),
      ticks(0, matches[last], beside ? 8 : 4, 1).map((played) =>
        label(x(played), height - 10, whole(played), "middle", "axis")),
      // The best is drawn last, above the others.
      series.map((one, index) => {
        // Before the first match all are equal.
        const points = [[0, 0], ...one.values.map((elo, k) => [matches[k], elo])].map(([played, elo]) => `${x(played).toFixed(1)},${y(elo).toFixed(1)}`);
        return svg("polyline", { points: points.join(" "), class: "line", vars: { "--colour": colour(index) } },
          tip(one.name));
      }).reverse(),
      beside ? labels.map(({ one, index, at }) =>
        svg("text", { x: width - right + 8, y: at + 4, class: "name", vars: { "--colour": colour(index) } },
          fitted(one.name, right))) : []);
  });
}

const legend = (items) =>
  el("ul", { class: "legend" }, items.map(({ name, mark }) =>
    el("li", {}, el("span", { class: "mark", vars: { "--colour": mark } }), name)));

// Shares of each bot's deals: parts that were won to the right of the middle, lost ones to the left.
function sharesPlot(title, rows, won, lost, middle) {
  const shares = (row, parts) => parts.map((part) => ({ part, share: row.deals ? row[part.key] / row.deals : 0 }));
  const sum = (parts) => parts.reduce((total, { share }) => total + share, 0);
  const most = (parts) => Math.max(0.05, ...rows.map((row) => sum(shares(row, parts)) + shares(row, middle)[0].share / 2));
  return plot(title, (width) => {
    const left = namesWidth(rows.map((row) => row.name), width);
    const [rowHeight, bar, foot] = [32, 20, 28];
    const height = rows.length * rowHeight + foot;
    const scale = (width - left - 8) / (most(lost) + most(won));
    const zero = left + most(lost) * scale;
    const grid = [];
    const part = 0.25 * scale < 48 ? 0.5 : 0.25;
    for (let share = -1; share <= 1; share += part) {
      const at = zero + share * scale;
      if (at < left - 1 || at > width - 7) continue;
      grid.push(line(at, 2, at, height - foot, share ? "grid" : "zero"));
      grid.push(label(at, height - 8, `${Math.abs(100 * share)} %`, "middle", "axis"));
    }
    return canvas(width, height, grid, rows.map((row, index) => {
      const y = index * rowHeight + (rowHeight - bar) / 2;
      const piece = ({ part, share }, from) =>
        svg("rect", { x: from, y, width: Math.max(0, share * scale), height: bar, class: "piece", vars: { "--colour": part.mark } },
          tip(`${row.name}: ${part.name}, ${whole(row[part.key])} of ${whole(row.deals)} deals (${percent(share, 1)})`));
      const nobody = shares(row, middle)[0];
      const parts = [label(0, y + bar / 2 + 5, fitted(row.name, left), "start", "name")];
      if (nobody.share) parts.push(piece(nobody, zero - (nobody.share / 2) * scale));
      let at = zero + (nobody.share / 2) * scale;
      for (const one of shares(row, won)) { if (one.share) parts.push(piece(one, at)); at += one.share * scale; }
      at = zero - (nobody.share / 2) * scale;
      for (const one of shares(row, lost)) { at -= one.share * scale; if (one.share) parts.push(piece(one, at)); }
      return svg("g", {}, parts);
    }));
  });
}

// Histograms on one logarithmic axis. bins[n]: decisions from 10^(n/4) to below 10^((n+1)/4) microseconds.
function timesPlot(rows) {
  const used = rows.flatMap((row) => Object.keys(row.bins).map(Number)).filter((bin) => bin > 0);
  const first = Math.floor(Math.min(12, ...used) / 4) * 4;
  const last = Math.ceil((Math.max(first + 3, ...used) + 1) / 4) * 4;
  const texts = rows.map((row) => `${row.name}: median ${row.median_us === null ? "none" : duration(row.median_us)}`);
  return plot(`Time per decision on a logarithmic scale. ${texts.join("; ")}`, (width) => {
    const left = namesWidth(rows.map((row) => row.name), width);
    const [rowHeight, bars, foot] = [52, 40, 30];
    const height = rows.length * rowHeight + foot;
    const unit = (width - left - 94) / (last - first);
    const every = Math.ceil(56 / (4 * unit));
    // Before the scale, in figures: what took nothing has no place on it.
    const x = (bin) => left + 66 + (bin - first) * unit;
    const grid = [label(left + 30, height - 8, "0", "end", "axis")];
    for (let bin = first; bin <= last; bin += 4) {
      grid.push(line(x(bin), 4, x(bin), height - foot, "grid"));
      if ((last - bin) % (4 * every) === 0) grid.push(label(x(bin), height - 8, duration(10 ** (bin / 4)), "middle", "axis"));
    }
    return canvas(width, height, grid, rows.map((row, index) => {
      const base = index * rowHeight + rowHeight - 6;
      const { 0: none = 0, ...timed } = row.bins;
      const largest = Math.max(1, ...Object.values(timed));
      const parts = [label(0, base - 4, fitted(row.name, left), "start", "name")];
      parts.push(line(left + 66, base, width, base, "zero"));
      if (none) parts.push(label(left + 40, base - 4, percent(none / row.decisions), "end", "axis"));
      for (const [bin, count] of Object.entries(timed)) {
        const size = Math.max(1, (count / largest) * bars);
        const range = `${duration(10 ** (bin / 4))} to ${duration(10 ** ((Number(bin) + 1) / 4))}`;
        parts.push(svg("rect", {
          x: x(Number(bin)) + 0.5, y: base - size, width: Math.max(1, unit - 1), height: size,
          class: "bar", vars: { "--colour": colour(index) },
        }, tip(`${row.name}: ${plural(count, "decision")}, ${range}`)));
      }
      return svg("g", { "data-bot": row.name }, parts);
    }));
  });
}
