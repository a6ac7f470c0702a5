// The list of all files of a run: a table that sorts and filters, violations first.
(function () {
  "use strict";
  const element = pincer.element;
  const ORDER = ["unsafe", "error", "unknown", "safe"];
  const COLUMNS = [
    { name: "Verdict", key: (row) => ORDER.indexOf(row.verdict) },
    { name: "File", key: (row) => row.number },
    { name: "Property", key: (row) => row.name },
    { name: "Why", key: (row) => row.why },
    { name: "Time", key: (row) => -(row.time || 0) },
  ];

  // `open` is called with the place of the chosen row: {file, property}; `kept` has what was filtered and sorted before.
  pincer.index = function (data, open, kept) {
    const folder = commonFolder(data.files.map((file) => file.file || ""));
    const rows = data.files.flatMap((file, index) => fileRows(file, index, open, folder));
    const state = kept;
    state.verdicts = state.verdicts || new Set();
    state.column = state.column || 0;
    const filter = element("input", {
      type: "search",
      placeholder: "Filter by file or property",
      "aria-label": "Filter by file or property",
      value: state.text || "",
      oninput: () => apply(),
    });
    const status = element("p", { role: "status", class: "quiet" });
    const body = element("tbody", {});

    function apply() {
      state.text = filter.value;
      const text = filter.value.trim().toLowerCase();
      let count = 0;
      for (const row of rows) {
        const fits = row.text.includes(text) && (state.verdicts.size === 0 || state.verdicts.has(row.verdict));
        row.element.hidden = !fits;
        count += fits ? 1 : 0;
      }
      status.textContent = count === rows.length ? "" : count + " of " + rows.length + " shown";
    }

    const numbers = new Intl.Collator("en", { numeric: true });
    function sort() {
      const key = COLUMNS[state.column].key;
      const compared = (a, b) => (typeof a === "string" ? numbers.compare(a, b) : a - b);
      const sorted = [...rows].sort((a, b) => compared(key(a), key(b)) || a.number - b.number);
      if (state.backwards) sorted.reverse();
      body.replaceChildren(...sorted.map((row) => row.element));
      heads.forEach((head, index) => {
        const way = index === state.column ? (state.backwards ? "descending" : "ascending") : "none";
        head.setAttribute("aria-sort", way);
      });
    }

    const heads = COLUMNS.map((column, index) => {
      const action = () => {
        state.backwards = state.column === index && !state.backwards;
        state.column = index;
        sort();
      };
      return element("th", { scope: "col" }, element("button", { type: "button", class: "sort", onclick: action }, column.name));
    });
    const toggles = pincer.verdictNames.map((verdict) => {
      const count = rows.filter((row) => row.verdict === verdict).length;
      const badge = pincer.badge(verdict, "", count);
      const pressed = String(state.verdicts.has(verdict));
      const toggle = element("button", { type: "button", class: "toggle", "aria-pressed": pressed }, badge);
      toggle.addEventListener("click", () => {
        if (!state.verdicts.delete(verdict)) state.verdicts.add(verdict);
        toggle.setAttribute("aria-pressed", String(state.verdicts.has(verdict)));
        apply();
      });
      return count > 0 ? toggle : null;
    });
    const section = element(
      "section",
      { class: "index" },
      element("h2", {}, data.files.length + " files" + (folder ? " in " + folder : "")),
      element("div", { class: "toolbar" }, toggles, filter),
      status,
      element("table", {}, element("thead", {}, element("tr", {}, heads)), body),
    );
    sort();
    apply();
    return { element: section };
  };

  // The folder that all files are in, with its last slash; names in the table go on from there.
  function commonFolder(names) {
    const parts = names.map((name) => name.split("/").slice(0, -1));
    const shortest = parts.reduce((best, one) => (one.length < best.length ? one : best), parts[0] || []);
    const differs = shortest.findIndex((part, index) => parts.some((one) => one[index] !== part));
    const common = differs < 0 ? shortest : shortest.slice(0, differs);
    return common.length > 0 ? common.join("/") + "/" : "";
  }

  function fileRows(file, index, open, folder) {
    const shown = (file.file || "").slice(folder.length);
    const rows = (file.properties || []).map((property, number) =>
      row(file, index, property, () => open({ file: index, property: number }), shown),
    );
    const whole = file.error
      ? { verdict: "error", why: file.error.message }
      : { verdict: "unknown", word: "no property" };
    if (file.error || rows.length === 0) rows.unshift(row(file, index, whole, () => open({ file: index }), shown));
    return rows;
  }

  function row(file, number, found, open, shown) {
    const name = found.name || "";
    const rests = (found.rests_on || []).join("; ");
    const why = (rests ? rests + ": " : "") + (found.why || found.reason || "");
    const verdict = found.verdict;
    return {
      number,
      verdict,
      name,
      why,
      time: found.time_s,
      text: ((file.file || "") + " " + name).toLowerCase(),
      element: element(
        "tr",
        {},
        element("td", {}, pincer.badge(rests ? "unknown" : verdict, found.word, undefined, pincer.symbol(verdict))),
        element("td", {}, pincer.link(shown, open)),
        element("td", {}, name),
        element("td", { class: "why" }, why),
        element("td", { class: "amount" }, pincer.seconds(found.time_s)),
      ),
    };
  }
})();
