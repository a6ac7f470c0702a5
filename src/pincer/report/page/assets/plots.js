// Numbers of a run: solver queries by purpose, how the engine's numbers grew, and the full table.
(function () {
  "use strict";
  const element = pincer.element;
  const WIDTH = 260;
  const HEIGHT = 130;
  const ITERATIONS = ["iteration", "iterations"];
  // What members of statistics are, in words; others are their names.
  const WORDS = {
    frontier: "found, not yet explored",
    questions: "questions to solvers",
    queries: "questions to solvers",
    executions: "executions of threads",
    trials: "schedules tried at random",
    longest: "steps of the longest execution",
    splits: "regions that were split",
    summaries: "summaries of calls",
    contexts: "calls looked at",
    abstract_states: "abstract states",
    solver_calls: "calls of solvers",
    loop_facts: "facts about loops",
  };
  // What strategies do, in words.
  const STRATEGIES = {
    straight: "running straight on",
    hunting: "hunting for errors",
    walks: "random tests",
    paths: "path by path",
    merged: "all paths at once",
    "merged to the end": "all paths at once, to the end",
    "merged by words": "all paths at once, words left to the solver",
    simulation: "values that matter",
    "cut points": "facts at loops",
    invariants: "invariants of loops",
    regions: "tests and regions",
    exhaustive: "all schedules",
    agse: "guided schedules",
    outline: "outlines of threads",
    products: "threads in lockstep",
  };
  const EDGE = { top: 8, right: 12, bottom: 22, left: 44 };

  pincer.statistics = function (property) {
    const parts = [
      strategyBars(property.strategies || {}),
      queryBars(property.queries || {}),
      growth(property.history || []),
      table(property.statistics || {}),
    ];
    return { element: element("section", { class: "statistics", "aria-label": "Statistics" }, parts) };
  };

  // A name with its unit, which is its ending: `time_s` is a time in seconds.
  function named(name) {
    const [, plain, unit] = /^(.*?)(?:_(s|mb))?$/.exec(name);
    return { words: WORDS[name] || plain.replaceAll("_", " "), unit: { s: " s", mb: " MB" }[unit] || "" };
  }

  // Who worked on the question, for how long, and with what success.
  function strategyBars(strategies) {
    const rows = Object.entries(strategies).map(([name, work]) => ({
      name: STRATEGIES[name] || name,
      size: work.time_s || 0,
      amount: pincer.seconds(work.time_s || 0) + (work.turns > 1 ? ", " + work.turns + " turns" : ""),
      remark: work.outcome || "not decided by it",
    }));
    return barTable("Strategies: time, and what came of it", rows);
  }

  // Where the time of solvers went; where it is not known, how many questions there were.
  function queryBars(queries) {
    const timed = Object.values(queries).some((query) => query.time_s > 0);
    const rows = Object.entries(queries).map(([purpose, query]) => ({
      name: purpose.replaceAll("_", " "),
      size: (timed ? query.time_s : query.count) || 0,
      amount: (query.time_s === undefined ? "" : pincer.seconds(query.time_s) + ", ") + questions(query.count || 0),
    }));
    rows.sort((a, b) => b.size - a.size);
    return barTable(timed ? "Solver time by purpose" : "Questions to solvers by purpose", rows);
  }

  function questions(count) {
    return count + (count === 1 ? " question" : " questions");
  }

  // Bars made of elements: text in them wraps and scales with the page.
  function barTable(title, rows) {
    if (rows.length === 0) return null;
    const most = Math.max(...rows.map((row) => row.size)) || 1;
    const bars = rows.map((row) => {
      const bar = element("div", { class: "bar" });
      bar.style.width = Math.max((row.size / most) * 100, 1) + "%";
      const remark = row.remark ? element("div", { class: "quiet" }, row.remark) : null;
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, row.name, remark),
        element("td", { class: "bars" }, bar),
        element("td", { class: "amount" }, row.amount),
      );
    });
    return [element("h3", {}, title), element("table", { class: "queries" }, bars)];
  }

  // Seconds count from the first point: properties are decided one after the other.
  function growth(told) {
    const start = told.length > 0 ? told[0].t || 0 : 0;
    const history = told.map((point) => ({ ...point, t: (point.t || 0) - start }));
    const byIteration = new Set(history.map(iteration)).size > 2;
    const names = [...new Set(history.flatMap((point) => Object.keys(point.numbers || {})))];
    const charts = names
      .filter((name) => !(byIteration && ITERATIONS.includes(name)))
      .map((name) => [name, history.filter((point) => typeof (point.numbers || {})[name] === "number")])
      .filter(([name, points]) => new Set(points.map((point) => point.numbers[name])).size > 1)
      .map(([name, points]) => chart(name, points, byIteration));
    if (charts.length === 0) return null;
    const title = byIteration ? "Growth over iterations" : "Growth over time (seconds)";
    return [element("h3", {}, title), element("div", { class: "charts" }, charts)];
  }

  function iteration(point) {
    const name = ITERATIONS.find((candidate) => candidate in (point.numbers || {}));
    return name ? point.numbers[name] : 0;
  }

  function chart(name, points, byIteration) {
    const across = (point) => (byIteration ? iteration(point) : point.t || 0);
    const value = (point) => point.numbers[name];
    const title = named(name).words;
    const x = d3.scaleLinear(d3.extent(points, across), [EDGE.left, WIDTH - EDGE.right]);
    const y = d3.scaleLinear([0, d3.max(points, value) || 1], [HEIGHT - EDGE.bottom, EDGE.top]).nice();
    const svg = d3.create("svg").attr("viewBox", [0, 0, WIDTH, HEIGHT].join(" ")).attr("role", "img");
    svg.attr("aria-label", title + ": from " + value(points[0]) + " to " + value(points[points.length - 1]));
    const whole = points.every((point) => Number.isInteger(value(point)));
    const ticks = y.ticks(4).filter((tick) => !whole || Number.isInteger(tick));
    const left = d3.axisLeft(y).tickValues(ticks).tickFormat(d3.format("~s"));
    svg.append("g").attr("transform", "translate(0," + (HEIGHT - EDGE.bottom) + ")").call(d3.axisBottom(x).ticks(3));
    svg.append("g").attr("transform", "translate(" + EDGE.left + ",0)").call(left);
    const line = d3.line((point) => x(across(point)), (point) => y(value(point))).curve(d3.curveStepAfter);
    svg.append("path").attr("class", "curve").attr("d", line(points));
    return element("figure", {}, element("figcaption", {}, title), svg.node());
  }

  function table(statistics) {
    const rows = flattened(statistics, "");
    if (rows.length === 0) return null;
    const shown = rows.map(([name, value]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)),
    );
    return [element("h3", {}, "All numbers"), element("table", { class: "numbers" }, shown)];
  }

  function flattened(value, prefix) {
    return Object.entries(value).flatMap(([key, item]) => {
      const { words, unit } = named(key);
      const name = prefix + words;
      if (item !== null && typeof item === "object") return flattened(item, name + ": ");
      const format = d3.format(Number.isInteger(item) ? "," : unit ? ",.2f" : ",.4~r");
      return [[name, typeof item === "number" ? format(item) + unit : String(item)]];
    });
  }
})();
