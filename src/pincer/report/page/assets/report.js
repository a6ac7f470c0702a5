// The report: an index of files, and for each file its properties, the source and the views of the chosen property.
(function () {
  "use strict";
  const element = pincer.element;

  // Show `data` in `container`. A place is {file, property, tab}; `moved` is told each one that the user goes to.
  // The result has `show(place)`, to go to a place from outside.
  pincer.mountReport = function (container, data, moved) {
    const main = element("main", {});
    let keys = null;
    const kept = {};
    const whole = element("div", { class: "report" }, header(data), main);
    whole.addEventListener("keydown", (event) => event.defaultPrevented || keyPressed(event));
    container.replaceChildren(whole);

    const report = {
      data,
      note: (place) => moved && moved(place),
      go: (place) => {
        report.note(place);
        show(place);
      },
      useKeys: (handler) => (keys = handler),
    };

    function show(place) {
      keys = null;
      if (data.files[place.file]) showFile(main, report, place);
      else main.replaceChildren(pincer.index(data, report.go, kept).element);
    }

    // Keys that nothing has the focus for are the report's, as long as it is shown.
    document.addEventListener("keydown", function pressed(event) {
      if (!whole.isConnected) document.removeEventListener("keydown", pressed);
      else if (event.target === document.body) keyPressed(event);
    });

    function keyPressed(event) {
      const busy = event.target.closest("input, select, textarea, svg, [role=tablist]");
      if (keys && !busy && !event.ctrlKey && !event.altKey && !event.metaKey && keys(event.key)) event.preventDefault();
    }

    const start = (place) => show(data.files.length === 1 ? { file: 0, ...place } : place || {});
    return { show: start };
  };

  function header(data) {
    const time = pincer.seconds(data.elapsed_s);
    return element(
      "header",
      {},
      element("h1", {}, data.tool || "pincer"),
      data.call ? element("code", { class: "call", title: data.call }, data.call) : null,
      data.call ? pincer.copy(data.call, "Copy the command") : null,
      time ? element("span", { class: "quiet" }, time) : null,
    );
  }

  function showFile(main, report, place) {
    const files = report.data.files;
    const file = files[place.file];
    const properties = file.properties || [];
    const violated = properties.find((found) => found.verdict === "unsafe");
    const property = properties[place.property] || violated || properties[0] || {};
    const number = properties.indexOf(property);
    const linked = { file: place.file, property: number < 0 ? undefined : number, tab: place.tab };
    const source = pincer.source(file, property, (line) => {
      report.note({ ...defined(linked), line });
      source.mark(line);
    });
    const graphs = (property.graphs || []).map((number) => file.graphs[number]);
    const showLine = (line) => {
      source.mark(line);
      if (pincer.onLine) pincer.onLine(line);
    };
    const panels = panelsOf(property, graphs, showLine, file.language);
    const views = panels.length > 0 ? tabs(panels, place, report) : null;
    const choose = (index) => report.go({ ...place, property: index });
    const back = pincer.link("‹ all files", () => report.go({}));
    const parts = [
      element(
        "div",
        { class: "heading" },
        files.length > 1 ? back : null,
        element("h2", { class: "file" }, file.file || ""),
        properties.length > 1 ? chooser(properties, property, choose) : null,
      ),
      file.error ? mistake(file.error, source.mark) : null,
      properties.length > 0 ? pincer.summary(property) : null,
      element("div", { class: views ? "columns" : "column" }, source.element, views ? views.element : null),
    ];
    main.replaceChildren(...parts.filter(Boolean));
    if (views) views.start();
    if (place.line) source.mark(place.line);
    else if (!property.timeline) source.show();
  }

  function defined(place) {
    return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined && value !== null));
  }

  function panelsOf(property, graphs, showLine, language) {
    const panels = [];
    if (property.timeline && (property.timeline.steps || []).length > 0) {
      const view = () => pincer.timeline({ ...property.timeline, language }, showLine);
      panels.push({ name: "counterexample", title: "Counterexample", view });
    }
    if (graphs.length > 0) {
      panels.push({ name: "graphs", title: "Graphs", view: () => pincer.graphs(graphs, showLine) });
    }
    const numbers = [property.statistics, property.history, property.queries];
    if (numbers.some((part) => Object.keys(part || {}).length > 0)) {
      panels.push({ name: "statistics", title: "Statistics", view: () => pincer.statistics(property) });
    }
    return panels;
  }

  function mistake(error, showLine) {
    const place = "line " + error.line + (error.column ? ", column " + error.column : "");
    const jump = pincer.link(place, () => showLine(error.line));
    const where = error.line ? [jump, ": "] : [];
    return element("p", { class: "mistake" }, pincer.badge("error", error.kind || ""), " ", where, error.message || "");
  }

  function chooser(properties, chosen, choose) {
    const entries = properties.map((property, index) =>
      element(
        "button",
        {
          type: "button",
          class: "property",
          "aria-pressed": String(property === chosen),
          onclick: () => choose(index),
        },
        pincer.badge((property.rests_on || []).length > 0 ? "unknown" : property.verdict, property.word, undefined, pincer.symbol(property.verdict)),
        " ",
        property.name || "",
      ),
    );
    return element("nav", { class: "chooser", "aria-label": "Properties" }, entries);
  }

  // A view is made when its tab is opened and stands in the page: graphs need to know their size.
  function tabs(panels, place, report) {
    const content = element("div", { role: "tabpanel", class: "tabpanel", tabindex: "0" });
    const list = element("div", { role: "tablist", "aria-label": "Views" });
    list.addEventListener("keydown", (event) => moveTab(event, list));

    function open(panel) {
      choose(list, list.children[panels.indexOf(panel)]);
      content.setAttribute("aria-label", panel.title);
      const view = panel.view();
      content.replaceChildren(view.element);
      report.useKeys(view.key || null);
      if (view.start) view.start();
    }

    for (const panel of panels) {
      const tab = element("button", { type: "button", role: "tab" }, panel.title);
      tab.addEventListener("click", () => {
        report.note({ ...place, tab: panel.name });
        open(panel);
      });
      list.append(tab);
    }
    const first = panels.find((panel) => panel.name === place.tab) || panels[0];
    return { element: element("section", { class: "panel" }, list, content), start: () => open(first) };
  }

  function choose(list, chosen) {
    for (const tab of list.children) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
  }

  function moveTab(event, list) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...list.children];
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    next.click();
  }
})();
