// The page of a finished run: the data stand in the page, the place in the address.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  // In a frame the program stands beside the report: lines are shown there.
  if (self !== top) {
    document.body.classList.add("embedded");
    pincer.onLine = (line) => parent.postMessage({ pincerLine: line || 0 }, "*");
  }
  const report = pincer.mountReport(document.getElementById("report"), data, (place) => {
    history.pushState(null, "", "#" + new URLSearchParams(place));
  });

  function show() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const number = (name) => (parts.has(name) ? Number(parts.get(name)) : undefined);
    const place = { file: number("file"), property: number("property"), tab: parts.get("tab"), line: number("line") };
    report.show(Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined && value !== null)));
  }

  addEventListener("popstate", show);
  show();
})();
