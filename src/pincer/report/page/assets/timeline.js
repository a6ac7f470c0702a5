// A counterexample to step through: one lane per thread, the values after each step, loops that repeat for ever.
(function () {
  "use strict";
  const element = pincer.element;
  const MOST_ROWS = 300;

  // `showLine` is told the source line of each step.
  pincer.timeline = function (timeline, showLine) {
    const steps = timeline.steps || [];
    const lanes = timeline.lanes && timeline.lanes.length > 0 ? timeline.lanes : ["program"];
    const loop = Number.isInteger(timeline.loop_from) ? timeline.loop_from : null;
    const body = element("tbody", {});
    let rows = [];
    let first = 0;
    let current = 0;
    const position = element("output", { class: "position", "aria-live": "polite" });
    const slider = element("input", {
      type: "range",
      min: "1",
      max: String(steps.length),
      value: "1",
      "aria-label": "Step",
      oninput: () => go(Number(slider.value) - 1),
    });
    const box = element(
      "div",
      { class: "scroll steps-box", tabindex: "0", role: "region", "aria-label": "Steps" },
      element("table", { class: "steps" }, head(lanes), body),
    );
    const values = element("tbody", {});

    // Long runs are shown in pieces: the rows around the current step.
    function fill(around) {
      first = Math.max(0, Math.min(around - MOST_ROWS / 2, steps.length - MOST_ROWS));
      const shown = steps.slice(first, first + MOST_ROWS);
      rows = shown.map((step, index) => stepRow(step, first + index, lanes, loop, () => go(first + index)));
      const after = steps.length - first - shown.length;
      const wide = (text, target) =>
        element("tr", { onclick: target }, element("td", { colspan: String(lanes.length + 1) }, text));
      body.replaceChildren(
        ...(first > 0 ? [wide("… " + first + " earlier steps", () => go(first - 1))] : []),
        ...rows,
        ...(after > 0 ? [wide("… " + after + " later steps", () => go(first + shown.length))] : []),
        ...(loop !== null ? [wide("↻ goes back to step " + numberOf(steps[loop]) + " and repeats", () => go(loop))] : []),
      );
    }

    function go(index) {
      if (rows[current - first]) {
        rows[current - first].classList.remove("current");
        rows[current - first].removeAttribute("aria-current");
      }
      current = Math.max(0, Math.min(index, steps.length - 1));
      if (!rows[current - first]) fill(current);
      const row = rows[current - first];
      row.classList.add("current");
      row.setAttribute("aria-current", "step");
      pincer.reveal(box, row, row.children[(steps[current].lane || 0) + 1]);
      slider.value = String(current + 1);
      position.textContent = "Step " + numberOf(steps[current]) + " of " + numberOf(steps[steps.length - 1]) + lineText(steps[current]);
      values.replaceChildren(...valueRows(steps, current));
      showLine(steps[current].line);
    }

    const moves = {
      Home: () => go(0),
      ArrowLeft: () => go(current - 1),
      ArrowRight: () => go(current + 1 === steps.length && loop !== null ? loop : current + 1),
      End: () => go(steps.length - 1),
    };
    const section = element(
      "section",
      { class: "timeline", "aria-label": "Counterexample" },
      element(
        "div",
        { class: "toolbar" },
        pincer.button("|◀", "First step", moves.Home),
        pincer.button("◀", "Step back (left arrow)", moves.ArrowLeft),
        pincer.button("▶", "Step (right arrow)", moves.ArrowRight),
        pincer.button("▶|", "Last step", moves.End),
        slider,
        position,
      ),
      box,
      element("h4", {}, "Values after this step"),
      element(
        "div",
        { class: "scroll values-box", tabindex: "0", role: "region", "aria-label": "Values" },
        element("table", { class: "values" }, values),
      ),
      element("p", { class: "hint" }, "Arrow keys step, Home and End go to the ends; click a step to go there."),
    );
    // Called by the report for keys that no other control wants; says whether it used the key.
    function key(name) {
      if (!moves[name]) return false;
      moves[name]();
      return true;
    }
    return { element: section, start: () => go(current), key };
  };

  // The number by which a step is known everywhere; a gap has none.
  function numberOf(step) {
    return Number.isInteger(step.number) ? String(step.number) : "…";
  }

  function lineText(step) {
    return step.place ? ", " + step.place : step.line ? ", line " + step.line : "";
  }

  function head(lanes) {
    const names = lanes.map((name) => element("th", { scope: "col", class: "lane" }, name));
    return element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Step"), names));
  }

  function stepRow(step, index, lanes, loop, go) {
    const looping = step.loop || (loop !== null && index >= loop);
    const cells = lanes.map((_, lane) =>
      element("td", { class: "lane" }, lane === (step.lane || 0) ? stepContent(step) : null),
    );
    return element(
      "tr",
      { onclick: go, class: looping ? "looping" : null },
      element("td", { class: "number" }, numberOf(step), looping ? " ↻" : ""),
      cells,
    );
  }

  function stepContent(step) {
    return [
      element("code", {}, "\u00a0\u00a0".repeat(step.depth || 0) + (step.text || "")),
      step.place || step.line ? element("span", { class: "place" }, " " + (step.place || "line " + step.line)) : null,
      element("div", { class: "changes" }, (step.changes || []).map((change) => element("span", {}, changeText(change)))),
      step.note ? element("div", { class: "note" }, step.note) : null,
    ];
  }

  function changeText(change) {
    return change.name + (known(change.old) ? ": " + change.old + " → " : " = ") + change.value;
  }

  function known(value) {
    return value !== undefined && value !== null && value !== "";
  }

  // All variables seen so far, in the order they appeared; what this step changed is marked.
  function valueRows(steps, current) {
    const values = new Map();
    for (let index = 0; index <= current; index += 1) {
      for (const change of steps[index].changes || []) {
        const last = values.get(change.name);
        const before = known(change.old) || !last ? change.old : last.value;
        values.set(change.name, { value: change.value, before, at: index });
      }
    }
    if (values.size === 0) return [element("tr", {}, element("td", { class: "quiet" }, "nothing has changed yet"))];
    return [...values].map(([name, { value, before, at }]) => {
      const changed = at === current;
      const was = changed && known(before) ? element("span", { class: "quiet" }, " was " + before) : "";
      return element(
        "tr",
        { class: changed ? "changed" : null },
        element("td", { class: "gutter" }, changed ? "●" : ""),
        element("th", { scope: "row" }, name),
        element("td", {}, String(value), was),
      );
    });
  }
})();
