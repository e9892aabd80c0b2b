// Elements, and figures as people read them. Texts only ever become text nodes: names and remarks may be hostile.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "vars") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);
const byId = (id) => document.getElementById(id);

const whole = (value) => Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
const minus = (text) => text.replace("-", "−");
// What rounds to zero has no sign.
const decimal = (value, digits) => minus((Number(value.toFixed(digits)) + 0).toFixed(digits));
const signed = (value, digits) => (Number(value.toFixed(digits)) > 0 ? "+" : "") + decimal(value, digits);
const percent = (value, digits = 0) => `${(100 * value).toFixed(digits)} %`;
const plural = (count, word, words = `${word}s`) => `${whole(count)} ${count === 1 ? word : words}`;

// Three digits, as the times are kept.
function duration(us) {
  if (us === 0) return "0";
  const [factor, unit] = us < 1e3 ? [1, "µs"] : us < 1e6 ? [1e3, "ms"] : [1e6, "s"];
  const value = us / factor;
  return `${value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toPrecision(3)} ${unit}`;
}

const shortened = (text, most) => (text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text);

// What may be wider than a telephone scrolls by itself, with the keyboard too.
const scrolling = (label, ...children) =>
  el("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": label }, ...children);
