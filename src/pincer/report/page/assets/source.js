// The annotated source: which lines tests ran and which a proof covers, invariants where they hold.
(function () {
  "use strict";
  const element = pincer.element;
  const MARKS = {
    tests: { symbol: "●", text: "executed" },
    proof: { symbol: "■", text: "covered by the proof" },
    missed: { symbol: "○", text: "code that was not reached" },
  };

  const NAMES = Object.keys(MARKS);
  const MOST_OPEN = 3;
  // Lines in a table of their own; browsers skip tables that are out of sight, so that long files open fast.
  const BLOCK = 100;

  pincer.source = function (file, property) {
    const coverage = property.coverage || {};
    const lines = linesOf(file.source);
    const marks = coverageMarks(coverage);
    const invariants = byLine(property.invariants || []);
    const rows = new Map();
    const blocks = [];
    const parts = file.parts || [];
    let part = null;
    lines.forEach((text, index) => {
      const line = index + 1;
      if (index % BLOCK === 0) blocks.push(element("tbody", {}));
      const begins = parts.find((found) => found.before === index);
      if (begins) {
        part = begins;
        blocks[blocks.length - 1].append(nameRow(part.name));
      }
      const row = codeRow(line, line - (part ? part.before : 0), text, marks(line), file.error && file.error.line === line);
      rows.set(line, row);
      blocks[blocks.length - 1].append(row, ...(invariants.has(line) ? [invariantRow(invariants.get(line))] : []));
    });
    const box = element(
      "div",
      { class: "scroll code-box", tabindex: "0", role: "region", "aria-label": "Source text" },
      blocks.map((block) => element("div", { class: "block" }, element("table", { class: "code" }, block))),
    );
    const elsewhere = invariantList((property.invariants || []).filter((found) => !rows.has(found.line)));
    const section = element(
      "section",
      { class: "source" },
      element("h3", {}, "Source"),
      legend(coverage, marks, invariants.size > 0),
      file.source ? box : element("p", { class: "quiet" }, "The source text is not part of this report."),
      elsewhere ? element("div", { class: "elsewhere" }, "Invariants of the proof:", elsewhere) : null,
    );
    return { element: section, mark: marker(box, rows) };
  };

  function linesOf(source) {
    const lines = (source || "").split("\n");
    if (lines[lines.length - 1] === "") lines.pop();
    return lines;
  }

  function coverageMarks(coverage) {
    const tests = new Set(coverage.tests);
    const proof = new Set(coverage.proof);
    const all = new Set(coverage.all);
    return function (line) {
      const found = [tests.has(line) && "tests", proof.has(line) && "proof"].filter(Boolean);
      return found.length === 0 && all.has(line) ? ["missed"] : found;
    };
  }

  function byLine(invariants) {
    const found = new Map();
    for (const invariant of invariants) {
      if (!found.has(invariant.line)) found.set(invariant.line, []);
      found.get(invariant.line).push(invariant);
    }
    return found;
  }

  // The name of a file over its text, where a program has several.
  function nameRow(name) {
    return element("tr", { class: "name" }, element("th", { colspan: "3", scope: "colgroup" }, name));
  }

  function codeRow(line, number, text, marks, wrong) {
    const title = marks.map((name) => MARKS[name].text).join(", ");
    const symbols = marks.map((name) => element("span", { class: "mark " + name }, MARKS[name].symbol));
    return element(
      "tr",
      { "data-line": line, class: wrong ? "wrong" : null },
      element("td", { class: "number" }, String(number)),
      element("td", { class: "gutter", title: title || null, "aria-label": title || null }, symbols),
      element("td", { class: "text" }, text),
    );
  }

  // The invariants under a line; many of them are folded away until asked for.
  function invariantRow(found) {
    return element(
      "tr",
      { class: "invariant" },
      element("td", { colspan: "2", class: "gutter" }, "∀"),
      element("td", {}, invariantList(found)),
    );
  }

  function invariantList(found) {
    if (found.length === 0) return null;
    const items = element("ul", {}, found.map((invariant) => element("li", {}, invariantText(invariant))));
    if (found.length <= MOST_OPEN) return items;
    return element("details", {}, element("summary", {}, found.length + " invariants"), items);
  }

  function invariantText(invariant) {
    const place = invariant.place ? element("span", { class: "place" }, invariant.place + ": ") : null;
    return [place, element("code", {}, invariant.text || "")];
  }

  function legend(coverage, marks, withInvariants) {
    const present = new Set((coverage.all || []).concat(coverage.tests || [], coverage.proof || []).flatMap(marks));
    const entries = [...present].sort((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b)).map((name) => {
      const share = (coverage.all || []).length > 0 && name !== "missed" ? ratio(coverage, name) : "";
      return element(
        "li",
        {},
        element("span", { class: "mark " + name, "aria-hidden": "true" }, MARKS[name].symbol),
        " " + MARKS[name].text + share,
      );
    });
    if (withInvariants) entries.push(element("li", {}, "∀ invariant of the proof"));
    return entries.length > 0 ? element("ul", { class: "legend" }, entries) : null;
  }

  function ratio(coverage, name) {
    const all = new Set(coverage.all);
    const reached = new Set(coverage[name].filter((line) => all.has(line)));
    return " (" + reached.size + " of " + all.size + " lines)";
  }

  // A function that highlights a line (or none) and brings it into view.
  function marker(box, rows) {
    let current = null;
    return function (line) {
      if (current) {
        current.classList.remove("current");
        current.removeAttribute("aria-current");
      }
      current = rows.get(line) || null;
      if (!current) return;
      current.classList.add("current");
      current.setAttribute("aria-current", "true");
      pincer.reveal(box, current);
    };
  }
})();
