// Many files: verdict counts, a filter, and one row for each property.
(function () {
  "use strict";
  const element = pincer.element;

  // `open` is called with the place of the chosen row: {file, property}.
  pincer.index = function (data, open) {
    const rows = data.files.flatMap((file, index) => fileRows(file, index, open));
    const shownVerdicts = new Set();
    const filter = element("input", {
      type: "search",
      placeholder: "Filter by file or property",
      "aria-label": "Filter by file or property",
      oninput: () => apply(),
    });
    const status = element("p", { role: "status", class: "quiet" });

    function apply() {
      const text = filter.value.trim().toLowerCase();
      let count = 0;
      for (const row of rows) {
        const fits = row.text.includes(text) && (shownVerdicts.size === 0 || shownVerdicts.has(row.verdict));
        row.element.hidden = !fits;
        count += fits ? 1 : 0;
      }
      status.textContent = count === rows.length ? "" : count + " of " + rows.length + " shown";
    }

    const toggles = pincer.verdictNames.map((verdict) => {
      const count = rows.filter((row) => row.verdict === verdict).length;
      const badge = pincer.badge(verdict, "", count);
      const toggle = element("button", { type: "button", class: "toggle", "aria-pressed": "false" }, badge);
      toggle.addEventListener("click", () => {
        if (!shownVerdicts.delete(verdict)) shownVerdicts.add(verdict);
        toggle.setAttribute("aria-pressed", String(shownVerdicts.has(verdict)));
        apply();
      });
      return count > 0 ? toggle : null;
    });
    const head = ["Verdict", "File", "Property", "Why", "Time"].map((name) => element("th", { scope: "col" }, name));
    const section = element(
      "section",
      { class: "index" },
      element("h2", {}, data.files.length + " files"),
      element("div", { class: "toolbar" }, toggles, filter),
      status,
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, head)),
        element("tbody", {}, rows.map((row) => row.element)),
      ),
    );
    return { element: section };
  };

  function fileRows(file, index, open) {
    const rows = (file.properties || []).map((property, number) => row(file, property, () => open({ file: index, property: number })));
    const whole = file.error
      ? { verdict: "error", why: file.error.message }
      : { verdict: "unknown", word: "no property" };
    if (file.error || rows.length === 0) rows.unshift(row(file, whole, () => open({ file: index })));
    return rows;
  }

  function row(file, found, open) {
    const name = found.name || "";
    return {
      verdict: found.verdict,
      text: ((file.file || "") + " " + name).toLowerCase(),
      element: element(
        "tr",
        {},
        element("td", {}, pincer.badge(found.verdict, found.word)),
        element("td", {}, pincer.link(file.file || "", open)),
        element("td", {}, name),
        element("td", { class: "why" }, found.why || found.reason || ""),
        element("td", { class: "amount" }, pincer.seconds(found.time_s)),
      ),
    };
  }
})();
