// The picture of a graph: d3 draws, zooms and pans what Graphviz has laid out.
(function () {
  "use strict";
  const element = pincer.element;
  const LEGIBLE = 0.7;
  let instances = 0;

  // Kinds that look different, with the words of the legend.
  pincer.nodeKinds = {
    initial: "▶ start",
    error: "✗ error",
    final: "◎ end",
    closed: "■ closed: settled by the proof",
  };
  pincer.arrowKinds = {
    must: "bold arrow: certainly taken",
    may: "dashed arrow: perhaps taken",
    back: "dotted arrow: back to a state",
  };

  // `actions`: open a part, select a node, go up one part. The result draws views and marks a node.
  pincer.drawing = function (graph, actions) {
    instances += 1;
    const arrowHead = "arrow-head-" + instances;
    const svg = d3.create("svg").attr("class", "canvas").attr("tabindex", "0").attr("role", "group");
    svg.attr("aria-label", graph.title + ": use the arrow keys to move between boxes");
    defineArrowHead(svg, arrowHead);
    const layer = svg.append("g");
    const zoom = d3
      .zoom()
      .scaleExtent([0.05, 4])
      .filter((event) => event.type !== "wheel" || event.ctrlKey || svg.node().contains(document.activeElement))
      .on("zoom", (event) => layer.attr("transform", event.transform));
    svg.call(zoom).on("dblclick.zoom", null);
    svg.on("keydown", (event) => {
      if (pressed(event.key)) event.preventDefault();
    });
    let view = null;
    let boxes = null;

    function draw(index) {
      view = graph.views[index];
      layer.selectAll("*").remove();
      drawArrows(layer, view, arrowHead);
      boxes = drawBoxes(layer, graph, view, activate);
      fit(false);
    }

    // Mark what a search has found: the nodes themselves and the parts they are in; null marks nothing.
    function highlight(found) {
      const fits = (item) => (item.view === undefined ? found.nodes.has(item.node) : found.views.has(item.view));
      boxes.classed("match", (item) => found !== null && fits(item));
    }

    function activate(item) {
      if (item.view === undefined) {
        actions.select(item.node);
      } else {
        actions.open(item.view);
        svg.node().focus({ preventScroll: true });
      }
    }

    function choose(node) {
      const chosen = view.items.findIndex((item) => item.node === node);
      boxes.classed("chosen", (_, index) => index === chosen);
      layer.selectAll("g.arrow").classed("chosen", (arrow) => arrow.from === chosen || arrow.to === chosen);
      bringIntoView(view.items[chosen]);
    }

    function bringIntoView(item) {
      const { width, height } = svg.node().getBoundingClientRect();
      const [x, y] = d3.zoomTransform(svg.node()).apply([item.x, item.y]);
      if (x < 40 || y < 20 || x > width - 40 || y > height - 20) svg.call(zoom.translateTo, item.x, item.y);
    }

    // Everything, or (unless `whole`) as much as stays legible, beginning where the graph begins.
    function fit(whole) {
      const { width, height } = svg.node().getBoundingClientRect();
      const all = Math.min(width / (view.width + 24), height / (view.height + 24), 1.25);
      const scale = whole ? all : Math.max(all, LEGIBLE);
      const first = firstItem();
      const x = view.width * scale > width ? first.x : view.width / 2;
      const y = view.height * scale > height ? first.y - first.h / 2 - 12 + height / scale / 2 : view.height / 2;
      svg.call(zoom.transform, d3.zoomIdentity.translate(width / 2, height / 2).scale(scale).translate(-x, -y));
    }

    function firstItem() {
      const initial = view.items.find((item) => item.node !== undefined && graph.nodes[item.node].kind === "initial");
      return initial || view.items.reduce((best, item) => (item.y < best.y ? item : best));
    }

    function pressed(key) {
      const focused = view.items[boxes.nodes().indexOf(document.activeElement)];
      if (key === "+" || key === "=") svg.call(zoom.scaleBy, 1.3);
      else if (key === "-") svg.call(zoom.scaleBy, 1 / 1.3);
      else if (key === "0") fit(true);
      else if (key === "Escape") actions.up();
      else if ((key === "Enter" || key === " ") && focused) activate(focused);
      else if (key.startsWith("Arrow")) focusBox(focused ? nearest(view.items, focused, key) : 0);
      else return false;
      return true;
    }

    function focusBox(index) {
      boxes.nodes()[index].focus({ preventScroll: true });
      bringIntoView(view.items[index]);
    }

    const buttons = [
      ["+", "Zoom in", () => svg.call(zoom.scaleBy, 1.4)],
      ["−", "Zoom out", () => svg.call(zoom.scaleBy, 1 / 1.4)],
      ["Fit", "Fit: show the whole drawing", () => fit(true)],
    ].map(([text, name, action]) => pincer.button(text, name, action));
    return { element: svg.node(), buttons, draw, highlight, choose };
  };

  function defineArrowHead(svg, id) {
    const marker = svg.append("defs").append("marker").attr("id", id).attr("viewBox", "0 0 10 10");
    marker.attr("refX", 10).attr("refY", 5).attr("markerWidth", 8).attr("markerHeight", 8);
    marker.attr("markerUnits", "userSpaceOnUse").attr("orient", "auto").append("path").attr("d", "M0 1L10 5L0 9z");
  }

  function drawArrows(layer, view, arrowHead) {
    const arrows = layer.selectAll("g.arrow").data(view.arrows).join("g");
    arrows.attr("class", (arrow) => "arrow " + (pincer.arrowKinds[arrow.kind] ? arrow.kind : "step"));
    arrows.append("path").attr("d", (arrow) => arrow.path).attr("marker-end", "url(#" + arrowHead + ")");
    writeLines(arrows.filter((arrow) => arrow.lines), (arrow) => arrow.x, (arrow) => arrow.y);
  }

  function drawBoxes(layer, graph, view, activate) {
    const boxes = layer.selectAll("g.box").data(view.items).join("g");
    boxes.attr("class", (item) => "box " + kindOf(graph, item)).attr("role", "button").attr("tabindex", "-1");
    boxes.attr("aria-label", (item) => item.lines.join(" ") + (item.view === undefined ? "" : ", opens"));
    boxes.on("click", (_, item) => activate(item));
    boxes.filter((item) => item.view !== undefined).call(rectangle, 5);
    boxes.call(rectangle, 0);
    writeLines(boxes, (item) => item.x, (item) => item.y);
    return boxes;
  }

  function kindOf(graph, item) {
    if (item.view !== undefined) return "part";
    const kind = graph.nodes[item.node].kind;
    return pincer.nodeKinds[kind] ? kind : "normal";
  }

  function rectangle(boxes, shift) {
    const shape = boxes.append("rect").attr("rx", 4);
    shape.attr("x", (item) => item.x - item.w / 2 + shift).attr("y", (item) => item.y - item.h / 2 + shift);
    shape.attr("width", (item) => item.w).attr("height", (item) => item.h);
  }

  function writeLines(selection, x, y) {
    const text = selection.append("text");
    text.selectAll("tspan")
      .data((item) => item.lines.map((line, index) => ({ line, item, index })))
      .join("tspan")
      .attr("x", ({ item }) => x(item))
      .attr("y", ({ item, index }) => y(item) + (index - (item.lines.length - 1) / 2) * 16)
      .text(({ line }) => line);
  }

  // The next box in the direction of an arrow key: close by, and rather straight ahead than aside.
  function nearest(items, from, key) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    let best = items.indexOf(from);
    let least = Infinity;
    items.forEach((item, index) => {
      const ahead = (item.x - from.x) * dx + (item.y - from.y) * dy;
      const aside = Math.abs((item.x - from.x) * dy) + Math.abs((item.y - from.y) * dx);
      if (ahead > 0 && ahead + 2 * aside < least) [best, least] = [index, ahead + 2 * aside];
    });
    return best;
  }
})();
