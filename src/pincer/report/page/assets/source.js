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

  // `link` is told the line whose number was clicked.
  pincer.source = function (file, property, link) {
    const coverage = property.coverage || {};
    const lines = linesOf(file.source);
    const marks = coverageMarks(coverage);
    const invariants = byLine(property.invariants || []);
    const rows = new Map();
    const blocks = [];
    const parts = file.parts || [];
    let part = null;
    let inComment = false;
    lines.forEach((text, index) => {
      const line = index + 1;
      if (index % BLOCK === 0) blocks.push(element("tbody", {}));
      const begins = parts.find((found) => found.before === index);
      if (begins) {
        part = begins;
        inComment = false;
        blocks[blocks.length - 1].append(nameRow(part.name));
      }
      const nodes = pincer.highlighted(text, file.language, inComment);
      inComment = pincer.endsInComment(text, inComment);
      const number = pincer.link(String(line - (part ? part.before : 0)), () => link && link(line));
      const row = codeRow(line, number, nodes, marks(line), file.error && file.error.line === line);
      rows.set(line, row);
      blocks[blocks.length - 1].append(row, ...(invariants.has(line) ? [invariantRow(invariants.get(line))] : []));
    });
    const box = element(
      "div",
      { class: "scroll code-box", tabindex: "0", role: "region", "aria-label": "Source text" },
      blocks.map((block) => element("div", { class: "block" }, element("table", { class: "code" }, block))),
    );
    const elsewhere = invariantList((property.invariants || []).filter((found) => !rows.has(found.line)));
    const mark = marker(box, rows);
    const section = element(
      "section",
      { class: "source", "aria-label": "Source" },
      element(
        "div",
        { class: "toolbar" },
        search(lines, mark),
        file.source ? pincer.copy(file.source, "Copy the source text") : null,
      ),
      legend(coverage, marks, invariants.size > 0),
      file.source ? box : element("p", { class: "quiet" }, "The source text is not part of this report."),
      elsewhere ? element("div", { class: "elsewhere" }, "Invariants of the proof:", elsewhere) : null,
    );
    const first = [...invariants.keys()].filter((line) => rows.has(line)).sort((a, b) => a - b)[0];
    const reveal = (line) => rows.has(line) && pincer.reveal(box, rows.get(line));
    return { element: section, mark, show: () => reveal(first || (coverage.proof || coverage.tests || [])[0]) };
  };

  // Enter goes to the next line that has the text.
  function search(lines, mark) {
    const found = element("output", { class: "quiet", "aria-live": "polite" });
    let last = -1;
    const field = element("input", {
      type: "search",
      placeholder: "Find in the source",
      "aria-label": "Find in the source",
      oninput: () => go(0),
      onkeydown: (event) => event.key === "Enter" && go(last + 1),
    });
    function go(from) {
      const text = field.value.toLowerCase();
      const places = text ? lines.flatMap((line, index) => (line.toLowerCase().includes(text) ? [index] : [])) : [];
      const next = places.find((index) => index >= from);
      last = next === undefined ? (places.length > 0 ? places[0] : -1) : next;
      if (last >= 0) mark(last + 1);
      found.textContent = text ? (places.length > 0 ? places.indexOf(last) + 1 + " of " + places.length : "not found") : "";
    }
    return [field, found];
  }

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
      element("td", { class: "number" }, number),
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
