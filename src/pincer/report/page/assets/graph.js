// Graphs to explore: choose one, search it, open its parts, read the facts of a node.
(function () {
  "use strict";
  const element = pincer.element;
  const MOST_RESULTS = 50;

  // `showLine` is called when the user asks for the source line of a node.
  pincer.graphs = function (graphs, showLine) {
    const place = element("div", {});
    const choice = element(
      "select",
      { "aria-label": "Graph", onchange: () => show(Number(choice.value)) },
      graphs.map((graph, index) => element("option", { value: String(index) }, graph.title)),
    );
    function show(index) {
      const view = graphView(graphs[index], showLine);
      place.replaceChildren(view.element);
      view.start();
    }
    const parts = graphs.length > 1 ? [choice, place] : [place];
    const section = element("section", { class: "graphs", "aria-label": "Graphs" }, parts);
    return { element: section, start: () => show(Number(choice.value) || 0) };
  };

  function graphView(graph, showLine) {
    const homes = homesOf(graph);
    const neighbours = neighboursOf(graph);
    const state = { view: 0, node: null, matches: null };
    const crumbs = element("nav", { class: "crumbs", "aria-label": "Parts of the graph" });
    const details = element("div", { class: "details", "aria-live": "polite" });
    const results = element("div", { class: "results" });
    const leftOut = element("p", { class: "hint" });
    const canvas = pincer.drawing(graph, {
      open: (index) => go(index),
      select: (node) => select(node),
      up: () => graph.views[state.view].parent !== null && go(graph.views[state.view].parent),
    });
    const search = element("input", {
      type: "search",
      placeholder: "Search " + graph.nodes.length + " nodes",
      "aria-label": "Search nodes",
      oninput: () => find(search.value.trim().toLowerCase()),
    });

    function go(index) {
      state.view = index;
      state.node = null;
      crumbs.replaceChildren(...crumbsOf(graph, index, go));
      canvas.draw(index);
      canvas.highlight(state.matches);
      leftOut.textContent = leftOutText(graph.views[index].hidden);
      showDetails();
    }

    function select(node) {
      if (homes[node] !== state.view) go(homes[node]);
      state.node = node;
      canvas.choose(node);
      showDetails();
    }

    function showDetails() {
      const shown = state.node === null ? hint() : nodeDetails(graph, state.node, neighbours, select, showLine);
      details.replaceChildren(...shown);
    }

    function find(text) {
      const all = graph.nodes.map((_, index) => index);
      const found = text === "" ? null : all.filter((index) => matches(graph, index, text));
      state.matches = found && matchingViews(graph, homes, found);
      canvas.highlight(state.matches);
      results.replaceChildren(...(found ? resultList(graph, found, select) : []));
    }

    const section = element(
      "div",
      { class: "graph" },
      element("div", { class: "toolbar" }, search, canvas.buttons),
      results,
      graph.views.length > 1 ? crumbs : null,
      canvas.element,
      leftOut,
      graph.note ? element("p", { class: "hint" }, graph.note) : null,
      legend(graph),
      details,
    );
    return { element: section, start: () => go(0) };
  }

  // The view in which each node is a box of its own.
  function homesOf(graph) {
    const homes = [];
    graph.views.forEach((view, index) => {
      for (const item of view.items) if (item.node !== undefined) homes[item.node] = index;
    });
    return homes;
  }

  function neighboursOf(graph) {
    const found = graph.nodes.map(() => ({ to: [], from: [] }));
    for (const [source, target, label] of graph.edges) {
      found[source].to.push([target, graph.texts[label]]);
      found[target].from.push([source, graph.texts[label]]);
    }
    return found;
  }

  function matches(graph, index, text) {
    const node = graph.nodes[index];
    const predicates = (node.predicates || []).map((number) => graph.texts[number]);
    const facts = (node.detail || []).map((pair) => pair.join(" "));
    const all = [node.label, node.group, node.line ? "line " + node.line : "", node.kind, ...predicates, ...facts];
    return all.filter(Boolean).join("\n").toLowerCase().includes(text);
  }

  function matchingViews(graph, homes, found) {
    const views = new Set();
    for (const node of found) {
      for (let view = homes[node]; view !== null && !views.has(view); view = graph.views[view].parent) views.add(view);
    }
    return { nodes: new Set(found), views };
  }

  function resultList(graph, found, select) {
    const count = found.length + (found.length === 1 ? " node matches" : " nodes match");
    const more = found.length > MOST_RESULTS ? "; the first " + MOST_RESULTS + " are listed" : "";
    const items = found.slice(0, MOST_RESULTS).map((node) => element("li", {}, nodeButton(graph, node, select)));
    return [element("p", { role: "status" }, count + more), element("ul", {}, items)];
  }

  function crumbsOf(graph, index, go) {
    const path = [];
    for (let view = index; view !== null; view = graph.views[view].parent) path.unshift(view);
    return path.map((view, depth) => {
      const name = view === 0 ? "all" : graph.views[view].title;
      const last = depth === path.length - 1;
      return element(
        "span",
        {},
        depth > 0 ? " › " : "",
        last ? element("b", {}, name) : pincer.link(name, () => go(view)),
      );
    });
  }

  function hint() {
    const sentences = [
      "Click a box for its predicates, tests and source line.",
      "Drag to pan; zoom with + and −, or with the wheel after a click.",
      "With the keyboard: arrow keys move between boxes, Enter opens, Escape goes up.",
    ];
    return [element("p", { class: "hint" }, sentences.join(" "))];
  }

  function leftOutText(hidden) {
    return hidden
      ? hidden + " arrows are left out, so that the drawing stays readable; click a node for all its steps."
      : "";
  }

  function nodeButton(graph, node, select) {
    const name = graph.nodes[node].label || "node " + (node + 1);
    return pincer.link(name, () => select(node));
  }

  function nodeDetails(graph, index, neighbours, select, showLine) {
    const node = graph.nodes[index];
    const predicates = (node.predicates || []).map((number) => graph.texts[number]);
    const line = node.line ? pincer.link("line " + node.line, () => showLine(node.line)) : null;
    const rows = [
      ["Kind", pincer.nodeKinds[node.kind]],
      ["Source", line],
      ["In", node.group],
      ["Predicates", predicates.length > 0 && list(predicates.map((text) => element("code", {}, text)))],
      ["Tests", node.tests === undefined ? null : String(node.tests)],
      ...(node.detail || []).map(([name, value]) => [name, String(value)]),
      ["Leads to", stepList(graph, neighbours[index].to, select)],
      ["Reached from", stepList(graph, neighbours[index].from, select)],
    ];
    const shown = rows.filter(([, content]) => content);
    return [
      element("h4", {}, node.label || "node " + (index + 1)),
      element("dl", {}, shown.map(([name, content]) => [element("dt", {}, name), element("dd", {}, content)])),
    ];
  }

  function list(contents) {
    return element("ul", {}, contents.map((content) => element("li", {}, content)));
  }

  function stepList(graph, steps, select) {
    if (steps.length === 0) return null;
    const step = ([node, label]) => [nodeButton(graph, node, select), label ? " by " + label : ""];
    const shown = steps.slice(0, MOST_RESULTS).map(step);
    if (steps.length > MOST_RESULTS) shown.push("and " + (steps.length - MOST_RESULTS) + " more");
    return list(shown);
  }

  function legend(graph) {
    const nameOf = (kind) => (graph.kind === "lock-order" && kind === "error" ? "✗ on a cycle" : pincer.nodeKinds[kind]);
    const kinds = new Set(graph.nodes.map((node) => node.kind));
    const arrows = new Set(graph.edges.map((edge) => edge[3]));
    const entries = [
      ...Object.keys(pincer.nodeKinds).filter((kind) => kinds.has(kind)).map(nameOf),
      ...Object.keys(pincer.arrowKinds).filter((kind) => arrows.has(kind)).map((kind) => pincer.arrowKinds[kind]),
      graph.views.length > 1 ? "double box: a part, click to open it" : "",
    ].filter(Boolean);
    const items = entries.map((text) => element("li", {}, text));
    return items.length > 0 ? element("ul", { class: "legend" }, items) : null;
  }
})();
