"use strict";

const part = (id) => document.getElementById(id);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const POLL_MS = 250;
const SECONDS = 30;
const FIELDS = ["name", "text", "engine", "property"];
const PROPERTIES = { c: ["assertions", "memory", "race", "deadlock"] };

let originals = new Map(); // name of an example -> what its fields begin with
let drafts = {}; // the same for examples that were changed; kept while the tab is open
let chosen = null;
let running = null;
let latest = 0;

async function start() {
  const setup = await (await fetch("api/setup")).json();
  part("engine").append(...setup.engines.map((engine) => new Option(engine)));
  part("seconds").max = setup.seconds;
  part("seconds").value = Math.min(SECONDS, setup.seconds);
  for (const { name, text, property } of setup.examples) {
    originals.set(name, { name, text, engine: "auto", property });
    part("example").append(new Option(name, name));
  }
  const kept = JSON.parse(sessionStorage.getItem("pincer") ?? "{}");
  drafts = kept.drafts ?? {};
  if (originals.has(kept.chosen)) {
    part("example").value = kept.chosen;
  }
  listen();
  chooseExample();
}

function listen() {
  part("example").addEventListener("change", chooseExample);
  part("revert").addEventListener("click", revert);
  part("order").addEventListener("submit", (event) => { event.preventDefault(); check(); });
  part("cancel").addEventListener("click", cancel);
  part("text").addEventListener("input", () => number());
  part("text").addEventListener("scroll", align);
  document.addEventListener("keydown", typed);
  for (const field of FIELDS) {
    part(field).addEventListener("input", keep);
  }
  addEventListener("pagehide", () => { cancel(); });
}

function chooseExample() {
  chosen = part("example").value;
  fill(drafts[chosen] ?? originals.get(chosen));
}

function revert() {
  fill(originals.get(chosen));
  part("example").focus();
}

function fill(draft) {
  for (const field of FIELDS) {
    part(field).value = draft[field];
  }
  part("text").setSelectionRange(0, 0);
  part("text").scrollTo(0, 0);
  number();
  keep();
}

/** Remember what is in the fields, so that neither another example nor a reload loses it. */
function keep() {
  const draft = Object.fromEntries(FIELDS.map((field) => [field, part(field).value]));
  const original = originals.get(chosen);
  const changed = FIELDS.some((field) => draft[field] !== original[field]);
  delete drafts[chosen];
  if (changed) {
    drafts[chosen] = draft;
  }
  part("revert").disabled = !changed;
  for (const option of part("example").options) {
    option.textContent = option.value in drafts ? `${option.value} *` : option.value;
  }
  const suggested = PROPERTIES[draft.name.split(".").pop()] ?? [];
  part("properties").replaceChildren(...suggested.map((name) => new Option(name)));
  try {
    sessionStorage.setItem("pincer", JSON.stringify({ chosen, drafts }));
  } catch {
    // It is full; the changes stay in this page.
  }
}

/** Number the lines, and mark one of them. */
function number(marked = 0) {
  const lines = part("text").value.split("\n").length;
  const numbers = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => `${from + i}\n`).join("");
  const mark = document.createElement("mark");
  mark.textContent = marked ? `${marked}\n` : "";
  part("numbers").replaceChildren(numbers(1, marked - 1), mark, numbers(marked + 1, lines));
  align();
}

function align() {
  part("numbers").scrollTop = part("text").scrollTop;
}

/** Show a line of the editor, selected. */
function goTo(line, column = 1) {
  const text = part("text");
  const lines = text.value.split("\n");
  const at = Math.min(line, lines.length);
  const first = lines.slice(0, at - 1).join("\n").length + (at > 1 ? 1 : 0);
  text.setSelectionRange(Math.min(first + column - 1, first + lines[at - 1].length), first + lines[at - 1].length);
  const height = parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTo(0, Math.max(0, (at - 1) * height - text.clientHeight / 3));
  number(at);
}

function typed(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    part("order").requestSubmit();
  }
}

function say(...lines) {
  part("status").replaceChildren(...lines);
}

/** A line of the status: a text, and a button that leads to a place in the program. */
function line(text, kind, place) {
  const element = document.createElement("div");
  element.className = kind ?? "";
  element.textContent = text;
  if (place?.line) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `line ${place.line}`;
    button.addEventListener("click", () => { goTo(place.line, place.column); part("text").focus(); });
    element.append(" ", button);
  }
  return element;
}

async function check() {
  const turn = ++latest;
  cancel();
  number();
  part("report").hidden = true;
  say(line("sent"));
  const order = Object.fromEntries(FIELDS.map((field) => [field, part(field).value]));
  try {
    const answer = await fetch("api/checks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...order, seconds: Number(part("seconds").value) }),
    });
    const given = await answer.json();
    if (turn !== latest) {
      discard(given.id);
    } else if (answer.ok) {
      await follow(given.id);
    } else {
      say(line(given.error, "error"));
    }
  } catch {
    if (turn === latest) {
      say(line("The server does not answer; is `pincer serve` still running?", "error"));
      rest();
    }
  }
}

async function follow(id) {
  running = id;
  part("cancel").disabled = false;
  part("status").ariaBusy = "true"; // Only what comes out is worth reading aloud.
  while (running === id) {
    const answer = await fetch(`api/checks/${id}`);
    const seen = await answer.json();
    if (running !== id) {
      return;
    }
    if (!answer.ok) {
      say(line(seen.error, "error"));
      rest();
    } else if (seen.state === "done") {
      rest();
      show(id, seen);
    } else {
      say(...progress(seen));
      await wait(POLL_MS);
    }
  }
}

function rest() {
  running = null;
  part("cancel").disabled = true;
  part("status").ariaBusy = "false";
}

function progress(seen) {
  if (seen.state === "waiting") {
    return [line(`waiting, ${seen.ahead} ahead`)];
  }
  const { engine, phase, elapsed_s: elapsed, memory_mb: memory, numbers } = seen.progress;
  const shown = Object.entries(numbers ?? {}).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`);
  return [
    line(`running ${(elapsed ?? 0).toFixed(1)} s, ${Math.round(memory ?? 0)} MB`),
    line([engine, phase, ...shown].filter(Boolean).join(" · "), "numbers"),
  ];
}

function show(id, seen) {
  const lines = seen.properties.map((one) => line(`${one.word}  ${one.name}: ${one.why}`, one.verdict, one));
  if (seen.error) {
    lines.push(line(seen.error.message, "error", seen.error));
    if (seen.error.line) {
      goTo(seen.error.line, seen.error.column);
    }
  }
  say(...lines);
  if (seen.report) {
    const frame = part("report").cloneNode(); // A new one leaves no entry in the history of the tab.
    frame.src = `api/checks/${id}/report`;
    frame.hidden = false;
    part("report").replaceWith(frame);
  }
}

function cancel() {
  if (running !== null) {
    discard(running);
    rest();
    say(line("cancelled"));
  }
}

/** Tell the server that nobody waits for a check any more; it has its limits in case it does not hear. */
function discard(id) {
  if (id) {
    fetch(`api/checks/${id}`, { method: "DELETE", keepalive: true }).catch(() => {});
  }
}

start();
