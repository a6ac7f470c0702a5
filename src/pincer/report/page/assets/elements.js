// What all views use: elements made from text, never from markup, and the look of verdicts.
var pincer = {};
(function () {
  "use strict";

  // An element with properties (event listeners by their "on" names) and children; strings become text nodes.
  pincer.element = function (name, properties, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (key === "value") made.value = value;
      else made.setAttribute(key, value === true ? "" : String(value));
    }
    made.append(...children.flat(Infinity).filter((child) => child || child === 0));
    return made;
  };

  // A button that shows little; its name says what it does.
  pincer.button = function (text, name, action) {
    return pincer.element("button", { type: "button", title: name, "aria-label": name, onclick: action }, text);
  };

  // A button that leads to a place of the report.
  pincer.link = function (text, action) {
    return pincer.element("button", { type: "button", class: "link", onclick: action }, text);
  };

  // A button that copies a text, and says for a moment that it has.
  pincer.copy = function (text, name) {
    const made = pincer.button("copy", name, async () => {
      made.textContent = (await copied(text)) ? "copied" : "not copied";
      setTimeout(() => (made.textContent = "copy"), 1500);
    });
    made.classList.add("copy");
    return made;
  };

  // Pages that were opened from a file, and frames without rights, may have to use the old way.
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (_) {
      const field = pincer.element("textarea", { class: "unseen", "aria-hidden": "true" });
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      return done;
    }
  }

  const VERDICTS = {
    safe: { symbol: "✓", word: "HOLDS" },
    unsafe: { symbol: "✗", word: "VIOLATED" },
    unknown: { symbol: "?", word: "UNDECIDED" },
    error: { symbol: "!", word: "NOT CHECKED" },
  };

  // The worst first.
  pincer.verdictNames = ["unsafe", "unknown", "safe", "error"];

  // A verdict as symbol and word, so that it can be read without colour.
  pincer.symbol = function (verdict) {
    return (VERDICTS[verdict] || VERDICTS.unknown).symbol;
  };

  pincer.badge = function (verdict, word, count, sign) {
    const known = VERDICTS[verdict] ? verdict : "unknown";
    const symbol = pincer.element("span", { "aria-hidden": "true" }, sign || VERDICTS[known].symbol);
    const text = [" ", word || VERDICTS[known].word, count === undefined ? "" : " " + count];
    return pincer.element("span", { class: "badge " + known }, symbol, ...text);
  };

  pincer.seconds = function (time) {
    if (typeof time !== "number") return "";
    return (time < 10 ? time.toFixed(2) : time.toFixed(1)) + " s";
  };

  // Scroll a box so that a row in it (and one cell of the row) is visible, without moving the page.
  pincer.reveal = function (box, row, cell) {
    const frame = box.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    const below = place.top - frame.top + place.height / 2;
    if (below < frame.height / 5 || below > (frame.height * 4) / 5) box.scrollTop += below - frame.height / 2;
    if (cell && box.scrollWidth > box.clientWidth) {
      const side = cell.getBoundingClientRect();
      const covered = row.firstChild.getBoundingClientRect().width;
      box.scrollLeft += side.left - frame.left - covered - (frame.width - covered - side.width) / 2;
    }
  };
})();
