"use strict";

const part = (id) => document.getElementById(id);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const POLL_MS = 250;
const SECONDS = 30;
const FIELDS = ["name", "text", "engine", "property"];
const PROPERTIES = ["assertions", "memory", "overflow", "leaks", "uninitialised", "termination", "race", "deadlock"];
const COMPILED = ["c", "i"];

let originals = new Map(); // name of an example -> what its fields begin with
let drafts = {}; // the same for examples that were changed; kept while the tab is open
let chosen = null;
let running = null;
let latest = 0;
let known = []; // what the check that runs has answered so far
let editor = null;
let language = null;

/** The fields by name; the program's text is in the editor. */
const field = {
  get: (name) => (name === "text" ? editor.text : part(name).value),
  set: (name, value) => { if (name === "text") { editor.text = value; } else { part(name).value = value; } },
};
const ending = (name) => name.split(".").pop();

async function start() {
  editor = makeEditor(part("editor"), document.querySelector("meta[name=nonce]").content, () => edited());
  const setup = await (await fetch("api/setup")).json();
  part("engine").append(...setup.engines.map((engine) => new Option(engine)));
  part("seconds").max = setup.seconds;
  part("seconds").value = Math.min(SECONDS, setup.seconds);
  for (const { name, text, property, about } of setup.examples) {
    originals.set(name, { name, text, engine: "auto", property, about });
    part("example").append(new Option(name, name));
  }
  part("gallery").append(...setup.examples.map(entry));
  part("properties").append(...PROPERTIES.map(choice));
  const kept = JSON.parse(sessionStorage.getItem("pincer") ?? "{}");
  drafts = kept.drafts ?? {};
  if (originals.has(kept.chosen)) {
    part("example").value = kept.chosen;
  }
  listen();
  chooseExample();
  openShared();
}

/** An entry of the gallery: an example and what it shows. */
function entry({ name, about }) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.addEventListener("click", () => { part("example").value = name; chooseExample(); part("order").requestSubmit(); });
  const element = document.createElement("p");
  element.append(button, ` ${about}`);
  return element;
}

/** A property to tick; the field says which ones are chosen, and none means the usual ones. */
function choice(name) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.name = name;
  box.addEventListener("change", () => {
    const ticked = [...part("properties").querySelectorAll("input:checked")].map((one) => one.name);
    part("property").value = ticked.join(",");
    keep();
  });
  const label = document.createElement("label");
  label.append(box, name);
  return label;
}

/** The address of this page with the program in its fragment, which no server ever sees. */
async function share() {
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(FIELDS.map((name) => [name, field.get(name)]))));
  const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_");
  history.replaceState(null, "", `#program=${code.replaceAll("=", "")}`);
  try {
    await navigator.clipboard.writeText(location.href);
    part("share").textContent = "Copied";
  } catch {
    part("share").textContent = "See the address";
  }
  setTimeout(() => { part("share").textContent = "Share"; }, 2000);
}

/** Fill in the program of a shared address; what is no program is passed over. */
function openShared() {
  const code = new URLSearchParams(location.hash.slice(1)).get("program");
  if (!code) {
    return;
  }
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const given = JSON.parse(new TextDecoder().decode(bytes));
    if (FIELDS.every((name) => typeof given[name] === "string")) {
      fill(given);
    }
  } catch {
    say(line("The address holds no program that can be read.", "error"));
  }
}

function edited() {
  if (originals.size > 0) {
    editor.remarks = [];
    keep();
  }
}

function listen() {
  part("example").addEventListener("change", chooseExample);
  part("revert").addEventListener("click", revert);
  part("order").addEventListener("submit", (event) => { event.preventDefault(); check(); });
  part("cancel").addEventListener("click", cancel);
  part("share").addEventListener("click", share);
  document.addEventListener("keydown", typed);
  for (const name of FIELDS) {
    part(name).addEventListener("input", keep);
  }
  addEventListener("hashchange", openShared);
  addEventListener("message", ({ source, data }) => {
    if (source === part("report").contentWindow && Number.isInteger(data?.pincerLine)) {
      editor.current = data.pincerLine;
    }
  });
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
  editor.remarks = [];
  for (const name of FIELDS.filter((one) => one !== "text")) {
    field.set(name, draft[name]);
  }
  field.set("text", draft.text);
  keep();
}

/** Remember what is in the fields, so that neither another example nor a reload loses it. */
function keep() {
  const draft = Object.fromEntries(FIELDS.map((name) => [name, field.get(name)]));
  const original = originals.get(chosen);
  const changed = FIELDS.some((name) => draft[name] !== original[name]);
  delete drafts[chosen];
  if (changed) {
    drafts[chosen] = draft;
  }
  part("revert").disabled = !changed;
  for (const option of part("example").options) {
    option.textContent = option.value in drafts ? `${option.value} *` : option.value;
  }
  if (language !== ending(draft.name)) {
    language = ending(draft.name);
    editor.language = language;
  }
  part("about").textContent = draft.name === original.name ? original.about : "";
  part("choices").hidden = !COMPILED.includes(language);
  const asked = draft.property.split(",");
  for (const box of part("properties").querySelectorAll("input")) {
    box.checked = asked.includes(box.name);
  }
  try {
    sessionStorage.setItem("pincer", JSON.stringify({ chosen, drafts }));
  } catch {
    // It is full; the changes stay in this page.
  }
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
    button.addEventListener("click", () => { editor.goTo(place.line, place.column); editor.focus(); });
    element.append(" ", button);
  }
  return element;
}

async function check() {
  const turn = ++latest;
  cancel();
  known = [];
  editor.remarks = [];
  part("gallery").hidden = true;
  part("downloads").hidden = true;
  part("report").hidden = true;
  say(line("sent"));
  const order = Object.fromEntries(FIELDS.map((name) => [name, field.get(name)]));
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
  const { engine, phase, elapsed_s: elapsed, memory_mb: memory, numbers, answers } = seen.progress;
  known = answers ?? known;
  const shown = Object.entries(numbers ?? {}).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`);
  return [
    line(`running ${(elapsed ?? 0).toFixed(1)} s, ${Math.round(memory ?? 0)} MB`),
    line([engine, phase, ...shown].filter(Boolean).join(" · "), "numbers"),
    ...verdicts(known),
  ];
}

/** A line for each violation, then what is undecided, then what holds; what is said alike of several is said once. */
function verdicts(properties) {
  const lines = new Map();
  for (const kind of ["unsafe", "unknown", "safe"]) {
    for (const one of properties.filter((property) => property.verdict === kind)) {
      const key = kind === "unsafe" ? one.name : `${one.word}  ${one.why}`;
      const names = [...(lines.get(key)?.names ?? []), one.name];
      lines.set(key, { one, names });
    }
  }
  return [...lines.values()].map(({ one, names }) => {
    return line(`${one.word}  ${names.join(", ")}: ${one.why}`, one.verdict, one);
  });
}

/** What the verdicts say about lines: where properties are violated, and what proofs claim. */
function remarks(properties) {
  const wrong = properties.filter((one) => one.verdict === "unsafe" && one.line);
  const proved = properties.flatMap((one) => one.invariants ?? []);
  const claims = new Map();
  for (const { line: at, text } of proved) {
    claims.set(at, [...new Set([...(claims.get(at) ?? []), text])]);
  }
  return [
    ...wrong.map((one) => ({ line: one.line, text: `✗ ${one.name}: ${one.why}`, kind: "unsafe" })),
    ...[...claims].map(([at, texts]) => ({ line: at, text: `∀ ${texts.join("; ")}`, kind: "safe" })),
  ];
}

function show(id, seen) {
  const lines = verdicts(seen.properties);
  editor.remarks = remarks(seen.properties);
  const first = seen.properties.find((one) => one.verdict === "unsafe" && one.line);
  if (first) {
    editor.goTo(first.line);
  }
  if (seen.error) {
    lines.push(line(seen.error.message, "error", seen.error));
    if (seen.error.line) {
      editor.remarks = [{ line: seen.error.line, text: `✗ ${seen.error.message}`, kind: "unsafe" }];
      editor.goTo(seen.error.line, seen.error.column);
    }
  }
  say(...lines);
  if (seen.report) {
    const frame = part("report").cloneNode(); // A new one leaves no entry in the history of the tab.
    frame.src = `api/checks/${id}/report`;
    frame.hidden = false;
    part("report").replaceWith(frame);
    part("get-report").href = frame.src;
    part("get-test").href = `api/checks/${id}/test`;
    part("get-test").hidden = !seen.test;
    part("downloads").hidden = false;
  }
}

function cancel() {
  if (running !== null) {
    discard(running);
    rest();
    say(line("cancelled"), ...verdicts(known));
  }
}

/** Tell the server that nobody waits for a check any more; it has its limits in case it does not hear. */
function discard(id) {
  if (id) {
    fetch(`api/checks/${id}`, { method: "DELETE", keepalive: true }).catch(() => {});
  }
}

start();
