// The verdict of one property: one line that opens to what supports it, what it rests on, what to do next.
(function () {
  "use strict";
  const element = pincer.element;

  pincer.summary = function (property) {
    const next = property.next && [element("code", {}, property.next), " ", pincer.copy(property.next, "Copy the command")];
    const rows = [
      ["Why", property.why],
      ["Reason", !(property.why || "").includes(property.reason) && property.reason],
      ["Evidence", property.evidence],
      ["Inputs", (property.inputs || []).map(([name, value]) => name + " = " + value)],
      ["Assumptions", property.assumptions],
      ["Warnings", (property.warnings || []).map((text) => "⚠ " + text)],
      ["Engine", [property.engine, property.check, pincer.seconds(property.time_s)].filter(Boolean).join(", ")],
    ];
    const listed = rows.filter(([, content]) => content && content.length !== 0).map(row);
    if (next) listed.push(element("dt", {}, "Next"), element("dd", {}, next));
    const rests = (property.rests_on || []).join("; ");
    const warned = (property.warnings || []).length;
    return element(
      "details",
      { class: "summary" },
      element(
        "summary",
        {},
        pincer.badge(rests ? "unknown" : property.verdict, property.word, undefined, pincer.symbol(property.verdict)),
        " ",
        element("strong", {}, property.name || ""),
        rests ? element("strong", { class: "rests" }, " " + rests) : null,
        element("span", { class: "why" }, " ", firstInputs(property), unrepeated(property)),
        warned ? element("span", { class: "quiet" }, " ⚠ " + warned) : null,
      ),
      element("dl", {}, listed),
    );
  };

  // Why, without the name of the property, which stands before it.
  function unrepeated(property) {
    const why = property.why || property.reason || "";
    return why.startsWith(property.name + ": ") ? why.slice(property.name.length + 2) : why;
  }

  // The inputs that lead to a violation, where a few words say them.
  function firstInputs(property) {
    const inputs = (property.inputs || []).map(([name, value]) => name + " = " + value.replace(/ \([^()]*\)$/, ""));
    const text = inputs.join(", ");
    return text && text.length <= 60 ? "with " + text + ": " : "";
  }

  function row([name, content]) {
    const shown = Array.isArray(content)
      ? element("ul", {}, content.map((text) => element("li", {}, text)))
      : content;
    return [element("dt", {}, name), element("dd", {}, shown)];
  }
})();
