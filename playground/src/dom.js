/** Makes an element with attributes, listeners (`onclick`) and children. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const message = () => document.getElementById("message");
let hiding;

/** Shows an error on the page. */
export function say(text) {
  const place = message();
  place.textContent = text;
  place.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (place.hidden = true), 12000);
}

/** The state that the address holds after its `#`. */
export const state = {
  read: () => Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
  write(values) {
    const params = new URLSearchParams(location.hash.slice(1));
    for (const [key, value] of Object.entries(values)) {
      if (value === undefined) params.delete(key);
      else params.set(key, value);
    }
    history.replaceState(null, "", `#${params}`);
  },
};

/** Returns the text of a number with as many digits as f32 needs. */
export const show = (number) => (Number.isFinite(number) ? String(Math.fround(number) === number ? shortest(number) : Number(number.toPrecision(7))) : String(number));
const shortest = (number) => {
  for (let digits = 1; digits < 10; digits++) if (Math.fround(Number(number.toPrecision(digits))) === number) return Number(number.toPrecision(digits));
  return number;
};
export const vector = (v) => `(${[...v].map(show).join(", ")})`;

/** Fills a table with names and values. */
export const rows = (table, list) => table.replaceChildren(...list.map(([name, value]) => el("tr", {}, el("th", {}, name), el("td", {}, value))));
