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
  const EDGE = { top: 8, right: 12, bottom: 22, left: 44 };

  pincer.statistics = function (property) {
    const parts = [queryBars(property.queries || {}), growth(property.history || []), table(property.statistics || {})];
    return { element: element("section", { class: "statistics", "aria-label": "Statistics" }, parts) };
  };

  // A name with its unit, which is its ending: `time_s` is a time in seconds.
  function named(name) {
    const [, plain, unit] = /^(.*?)(?:_(s|mb))?$/.exec(name);
    return { words: WORDS[name] || plain.replaceAll("_", " "), unit: { s: " s", mb: " MB" }[unit] || "" };
  }

  // Bars made of elements: text in them wraps and scales with the page.
  function queryBars(queries) {
    const rows = Object.entries(queries).sort((a, b) => (b[1].count || 0) - (a[1].count || 0));
    if (rows.length === 0) return null;
    const most = Math.max(...rows.map(([, query]) => query.count || 0), 1);
    const bars = rows.map(([purpose, query]) => {
      const bar = element("div", { class: "bar" });
      bar.style.width = Math.max(((query.count || 0) / most) * 100, 1) + "%";
      const time = query.time_s === undefined ? "" : " in " + pincer.seconds(query.time_s);
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, purpose.replaceAll("_", " ")),
        element("td", { class: "bars" }, bar),
        element("td", { class: "amount" }, String(query.count || 0) + time),
      );
    });
    return [element("h3", {}, "Solver queries by purpose"), element("table", { class: "queries" }, bars)];
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
