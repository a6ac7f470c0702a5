// The values after a step: by thread and call, arrays and structures as trees, what the step changed marked.
(function () {
  "use strict";
  const element = pincer.element;
  const MOST_OPEN = 16;

  pincer.values = function (steps, lanes) {
    const opened = new Map();
    const list = element("div", { class: "values", role: "tree", "aria-label": "Variables" });
    let shown = 0;
    const box = element(
      "div",
      { class: "values-part" },
      element("h3", {}, "Values after this step"),
      element("div", { class: "scroll values-box", tabindex: "0", role: "region", "aria-label": "Values" }, list),
    );

    function show(current) {
      shown = current;
      const frames = framesAfter(steps, lanes, current).filter((frame) => frame.values.size > 0);
      const groups = frames.map((frame) => {
        const rows = treeOf(frame.values).children.flatMap((node) => nodeRows(node, 0, frame.key, current));
        const told = frame.told || "whole program";
        const name = frames.length > 1 || frame.name ? callName(told) : null;
        return element("div", { role: "group", "aria-label": told }, name, rows);
      });
      const nothing = element("p", { class: "quiet" }, "nothing has changed yet");
      list.replaceChildren(...(groups.length > 0 ? groups : [nothing]));
    }

    function nodeRows(node, depth, prefix, current) {
      const path = prefix + "/" + node.name;
      const leaf = node.children.length === 0;
      const changed = hasChanged(node, current);
      const open = opened.has(path) ? opened.get(path) : changed || node.size <= MOST_OPEN;
      const own = node.found;
      const was = own && own.at === current && known(own.before) ? element("span", { class: "quiet" }, " was " + own.before) : null;
      const text = leaf ? element("span", { class: "value" }, String(own.value), was) : element("span", { class: "value quiet" }, open ? "" : shortened(node));
      const fold = leaf
        ? element("span", { class: "toggle", "aria-hidden": "true" }, own.at === current ? "●" : "")
        : pincer.button(open ? "▾" : "▸", (open ? "Fold " : "Open ") + node.name, () => {
            opened.set(path, !open);
            show(shown);
          });
      if (!leaf) fold.classList.add("toggle");
      const row = element(
        "div",
        {
          class: "variable depth" + Math.min(depth, 12) + (leaf && changed ? " changed" : ""),
          role: "treeitem",
          "aria-level": String(depth + 1),
          "aria-expanded": leaf ? null : String(open),
          "aria-selected": "false",
        },
        fold,
        element("span", { class: "name" }, node.name),
        text,
      );
      return [row, ...(open ? node.children.flatMap((child) => nodeRows(child, depth + 1, path, current)) : [])];
    }

    return { element: box, show };
  };

  // The group says the same to those who do not see it.
  function callName(name) {
    return element("div", { class: "call-name", "aria-hidden": "true" }, name);
  }

  // Variables of each active call, those of the thread that has moved and the innermost call first, then those of the
  // whole program.
  function framesAfter(steps, lanes, current) {
    const whole = { name: "", key: "", values: new Map() };
    const threads = lanes.map(() => []);
    for (let index = 0; index <= current; index += 1) {
      const step = steps[index];
      const depth = step.depth || 0;
      const lane = step.lane || 0;
      const calls = threads[lane].slice(0, depth + 1);
      threads[lane] = calls;
      const name = step.function || "";
      if (!calls[depth] || (name && calls[depth].name !== name)) {
        const told = name && lanes.length > 1 && lanes[lane] !== name ? name + ", " + lanes[lane] : name;
        calls[depth] = { name, told, key: [lane, depth, name].join("/"), values: new Map() };
      }
      for (const change of step.changes || []) {
        if (index === current || !isBehindPointer(change.name)) note(frameOf(change, calls, whole), change, index);
      }
    }
    const moved = steps[current].lane || 0;
    const ordered = [threads[moved], ...threads.filter((_, lane) => lane !== moved)];
    return [...ordered.flatMap((calls) => calls.filter(Boolean).reverse()).filter((frame) => frame.name), whole];
  }

  function frameOf(change, calls, whole) {
    if (!change.scope) return whole;
    const found = calls.filter((frame) => frame && frame.name === change.scope);
    return found[found.length - 1] || whole;
  }

  // A place that is called by a pointer to it may be another one in the next step.
  function isBehindPointer(name) {
    return name.startsWith("*") || name.includes("->");
  }

  function note(frame, change, index) {
    const last = frame.values.get(change.name);
    const before = known(change.old) || !last ? change.old : last.value;
    frame.values.set(change.name, { value: change.value, before, at: index });
  }

  // `l.a.x` and `a[3]` as trees: each selector is a node below the one before it.
  function treeOf(values) {
    const root = { children: [], index: new Map() };
    for (const [name, found] of values) {
      let node = root;
      for (const part of partsOf(name)) {
        if (!node.index.has(part)) {
          const made = { name: part, children: [], index: new Map(), found: null, size: 0 };
          node.index.set(part, made);
          node.children.push(made);
        }
        node = node.index.get(part);
      }
      node.found = found;
    }
    measure(root);
    return root;
  }

  function partsOf(name) {
    const parts = name.match(/^[^.[\]]+|\.[^.[\]]+|\[[^\]]*\]/g);
    return parts && parts.join("") === name ? parts : [name];
  }

  // A node that has a value and parts shows its value among them.
  function measure(node) {
    if (node.found && node.children.length > 0) {
      node.children.unshift({ name: "value", children: [], index: new Map(), found: node.found, size: 1 });
      node.found = null;
    }
    node.children.forEach(measure);
    node.size = node.children.length === 0 ? 1 : node.children.reduce((sum, child) => sum + child.size, 0);
  }

  function hasChanged(node, current) {
    return node.found ? node.found.at === current : node.children.some((child) => hasChanged(child, current));
  }

  function shortened(node) {
    const all = node.children.map((child) => (child.found ? child.found.value : "…")).join(", ");
    return "{" + (all.length > 60 ? all.slice(0, 59) + "…" : all) + "}";
  }

  function known(value) {
    return value !== undefined && value !== null && value !== "";
  }
})();
