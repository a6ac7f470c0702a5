// The verdict of one property at a glance: why, what supports it, what it rests on, what to do next.
(function () {
  "use strict";
  const element = pincer.element;

  pincer.summary = function (property) {
    const rows = [
      ["Why", property.why],
      ["Reason", !(property.why || "").includes(property.reason) && property.reason],
      ["Evidence", property.evidence],
      ["Inputs", (property.inputs || []).map(([name, value]) => name + " = " + value)],
      ["Assumptions", property.assumptions],
      ["Warnings", (property.warnings || []).map((text) => "⚠ " + text)],
      ["Engine", [property.engine, property.check, pincer.seconds(property.time_s)].filter(Boolean).join(", ")],
      ["Next", property.next && element("code", {}, property.next)],
    ];
    return element(
      "section",
      { class: "summary", "aria-label": "Summary" },
      element("h2", {}, pincer.badge(property.verdict, property.word), " ", property.name || ""),
      element("dl", {}, rows.filter(([, content]) => content && content.length !== 0).map(row)),
    );
  };

  function row([name, content]) {
    const shown = Array.isArray(content)
      ? element("ul", {}, content.map((text) => element("li", {}, text)))
      : content;
    return [element("dt", {}, name), element("dd", {}, shown)];
  }
})();
