// Tables that sort by a click on a heading.

const sorting = new Map(); // by table, so that a page that is drawn anew keeps its order
const shownWhole = new Set(); // tables of which all rows are wanted

const collator = new Intl.Collator("en", { numeric: true });

function compared(first, second) {
  // What has no value goes last, whatever the order.
  if (first === null || second === null) return first === second ? 0 : first === null ? 1 : -1;
  return typeof first === "string" ? collator.compare(first, second) : first - second;
}

// columns: {label, title, value(row), show(row), text}; value is a number, a text or null.
// rowsShown: how many rows to show before a button offers more.
function sortableTable(id, caption, columns, rows, rowsShown = Infinity) {
  const body = el("tbody");
  const headings = columns.map((column, index) =>
    el("th", { scope: "col", class: column.text ? "text" : "figure" },
      el("button", { type: "button", title: column.title ?? "", onclick: () => choose(index) }, column.label)));
  const more = el("button", { type: "button", class: "more", onclick: () => { shownWhole.add(id); draw(); } });

  function choose(index) {
    const last = sorting.get(id);
    const first = columns[index].text ? "ascending" : "descending";
    const other = first === "ascending" ? "descending" : "ascending";
    sorting.set(id, { index, order: last?.index === index && last.order === first ? other : first });
    draw();
  }

  function draw() {
    const by = sorting.get(id);
    headings.forEach((heading, index) => {
      if (by?.index === index) heading.setAttribute("aria-sort", by.order);
      else heading.removeAttribute("aria-sort");
    });
    const ordered = [...rows];
    if (by) {
      const { value } = columns[by.index];
      const sign = by.order === "ascending" ? 1 : -1;
      ordered.sort((a, b) => {
        const [first, second] = [value(a), value(b)];
        return first === null || second === null ? compared(first, second) : sign * compared(first, second);
      });
    }
    const most = shownWhole.has(id) ? Infinity : rowsShown;
    body.replaceChildren(...ordered.slice(0, most).map((row) =>
      el("tr", {}, columns.map((column, index) =>
        el(index === 0 ? "th" : "td", { scope: index === 0 ? "row" : null, class: column.text ? "text" : "figure" },
          (column.show ?? column.value)(row) ?? "–")))));
    more.hidden = ordered.length <= most;
    more.textContent = `Show all ${whole(ordered.length)}`;
  }

  draw();
  const table = el("table", { id: `${id}-table` },
    el("caption", {}, caption), el("thead", {}, el("tr", {}, headings)), body);
  return [scrolling(caption, table), more];
}
