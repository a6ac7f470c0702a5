// A counterexample to step through: one lane per thread, calls and rounds of loops that fold, the values after each step.
(function () {
  "use strict";
  const element = pincer.element;
  const MOST_ROWS = 300;

  // `showLine` is told the source line of each step.
  pincer.timeline = function (timeline, showLine) {
    const steps = timeline.steps || [];
    const lanes = timeline.lanes && timeline.lanes.length > 0 ? timeline.lanes : ["program"];
    const loop = Number.isInteger(timeline.loop_from) ? indexOfStep(steps, timeline.loop_from) : null;
    const folds = foldsOf(steps, timeline.rounds || [], lanes.length === 1);
    const values = pincer.values(steps, lanes);
    const body = element("tbody", {});
    // Two lanes fit beside the numbers in a window of 400 pixels.
    const width = "calc(3.2rem + " + 10.2 * lanes.length + "rem)";
    let rows = new Map();
    let visible = [];
    // Runs end with what goes wrong; those that repeat for ever are read from the start.
    let current = loop === null ? steps.length - 1 : 0;
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
      element("table", { class: lanes.length > 1 ? "steps lanes" : "steps" }, head(lanes), body),
    );

    box.firstChild.style.minWidth = lanes.length > 1 ? width : "0";

    // What is not folded away, in order: steps by number, and folds that stand for theirs.
    function outline() {
      visible = [];
      for (let index = 0; index < steps.length; index += 1) {
        const rounds = folds.rounds.get(index);
        if (rounds && rounds.closed) {
          visible.push(rounds);
          index = rounds.end - 1;
          continue;
        }
        visible.push(index);
        const call = folds.calls.get(index);
        if (call && call.closed) index = call.end - 1;
      }
    }

    // Long runs are shown in pieces: the rows around the current step.
    function fill() {
      outline();
      const at = visible.indexOf(current);
      const first = Math.max(0, Math.min(at - MOST_ROWS / 2, visible.length - MOST_ROWS));
      const shown = visible.slice(first, first + MOST_ROWS);
      rows = new Map();
      const made = shown.map((item) => (typeof item === "number" ? stepRow(item) : roundsRow(item)));
      const after = visible.length - first - shown.length;
      const wide = (text, target) =>
        element("tr", { onclick: target }, element("td", { colspan: String(lanes.length + 1) }, text));
      const startOf = (item) => (typeof item === "number" ? item : item.start);
      body.replaceChildren(
        ...(first > 0 ? [wide("… " + first + " earlier rows", () => go(startOf(visible[first - 1])))] : []),
        ...made,
        ...(after > 0 ? [wide("… " + after + " later rows", () => go(startOf(visible[first + shown.length])))] : []),
        ...(loop !== null ? [wide("↻ goes back to step " + numberOf(steps[loop]) + " and repeats", () => go(loop))] : []),
      );
    }

    function stepRow(index) {
      const step = steps[index];
      const looping = step.loop || (loop !== null && index >= loop);
      const row = element(
        "tr",
        { onclick: () => go(index), class: looping ? "looping" : null },
        element("td", { class: "number" }, numberOf(step), looping ? " ↻" : ""),
        laneCells(step, content(step, folds.calls.get(index))),
      );
      rows.set(index, row);
      return row;
    }

    // What belongs to no thread in particular stands across all of them.
    function laneCells(step, told) {
      if (step.lane === null) return element("td", { class: "lane", colspan: String(lanes.length) }, told);
      return lanes.map((_, lane) => element("td", { class: "lane" }, lane === (step.lane || 0) ? told : null));
    }

    function content(step, call) {
      const place = step.place || (step.line ? "line " + step.line : "");
      return element(
        "div",
        { class: "step depth" + Math.min(step.depth || 0, 12) },
        element("span", { class: call ? "what call" : "what" }, call ? toggle(call, "the steps of this call") : null, codeOf(step)),
        element("span", { class: "place" }, place),
        element(
          "div",
          { class: "changes" },
          (step.gathered || (step.changes || []).map(changeText)).map((text) => element("span", {}, text)),
          step.note ? element("span", { class: "note" }, step.note) : null,
        ),
        call && call.closed ? element("div", { class: "quiet" }, counted(call.end - call.start, "step") + " folded") : null,
      );
    }

    function codeOf(step) {
      return element("code", {}, breakable(pincer.highlighted(step.text || "", timeline.language)));
    }

    function roundsRow(fold) {
      const text = counted(fold.rounds, "more round");
      const action = () => unfold(fold);
      return element(
        "tr",
        { class: "fold", onclick: action },
        element("td", { class: "number" }, "⋮"),
        element("td", { class: "lane", colspan: String(lanes.length) }, pincer.link(text, action)),
      );
    }

    function toggle(fold, what) {
      const name = (fold.closed ? "Show " : "Fold ") + what;
      const made = pincer.button(fold.closed ? "▸" : "▾", name, (event) => {
        event.stopPropagation();
        fold.closed = !fold.closed;
        if (fold.closed && current >= fold.start && current < fold.end) current = fold.start - 1;
        fill();
        go(current);
      });
      made.classList.add("toggle");
      made.setAttribute("aria-expanded", String(!fold.closed));
      return made;
    }

    function unfold(fold) {
      fold.closed = false;
      fill();
      go(fold.start);
    }

    function unfoldAround(index) {
      for (const fold of folds.all) if (index >= fold.start && index < fold.end) fold.closed = false;
    }

    function go(index) {
      const before = rows.get(current);
      if (before) {
        before.classList.remove("current");
        before.removeAttribute("aria-current");
      }
      current = Math.max(0, Math.min(index, steps.length - 1));
      if (!rows.has(current)) {
        unfoldAround(current);
        fill();
      }
      const row = rows.get(current);
      row.classList.add("current");
      row.setAttribute("aria-current", "step");
      pincer.reveal(box, row, row.children[(steps[current].lane || 0) + 1]);
      slider.value = String(current + 1);
      position.textContent =
        "Step " + numberOf(steps[current]) + " of " + numberOf(steps[steps.length - 1]) + lineText(steps[current]);
      values.show(current);
      showLine(steps[current].line);
    }

    // The next step that is not folded away; the rounds of a loop are passed over as they are.
    function beside(way) {
      let at = visible.indexOf(current) + way;
      while (visible[at] !== undefined && typeof visible[at] !== "number") at += way;
      if (visible[at] === undefined) return way > 0 && loop !== null ? loop : current;
      return visible[at];
    }

    const moves = {
      Home: () => go(0),
      ArrowLeft: () => go(beside(-1)),
      ArrowRight: () => go(beside(1)),
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
      values.element,
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

  // What can be folded: the steps inside of each call, and the rounds of loops in the middle, which are closed at first.
  function foldsOf(steps, rounds, nested) {
    const calls = new Map();
    const open = [];
    for (let index = 0; nested && index <= steps.length; index += 1) {
      const depth = index < steps.length ? steps[index].depth || 0 : -1;
      while (open.length > 0 && open[open.length - 1].depth >= depth) {
        const call = open.pop();
        if (index > call.start) calls.set(call.start - 1, { start: call.start, end: index, closed: false });
      }
      open.push({ depth, start: index + 1 });
    }
    const folded = new Map(
      rounds.map((one) => [one.at, { start: one.at, end: one.at + one.steps, rounds: one.rounds, closed: true }]),
    );
    return { calls, rounds: folded, all: [...calls.values(), ...folded.values()] };
  }

  // Narrow lanes break lines behind an opening parenthesis or before an arrow rather than inside of a name.
  function breakable(nodes) {
    const parts = (text) => text.split(/(?<=\()|(?=->)/).flatMap((part, at) => (at ? [element("wbr"), part] : [part]));
    return nodes.flatMap((node) => (typeof node === "string" ? parts(node) : [node]));
  }

  function counted(count, noun) {
    return count + " " + noun + (count === 1 ? "" : "s");
  }

  function indexOfStep(steps, number) {
    const found = steps.findIndex((step) => step.number === number);
    return found < 0 ? Math.min(number, steps.length - 1) : found;
  }

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

  function changeText(change) {
    const known = change.old !== undefined && change.old !== null && change.old !== "";
    return change.name + (known ? ": " + change.old + " → " : " = ") + change.value;
  }
})();
