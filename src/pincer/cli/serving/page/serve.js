"use strict";

const part = (id) => document.getElementById(id);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const ENGINES = ["auto", "ase", "ur", "dash", "agse", "dse"];
const POLL_MS = 250;

let running = null;
let examples = [];

async function start() {
  for (const engine of ENGINES) {
    part("engine").append(new Option(engine));
  }
  examples = await (await fetch("/api/examples")).json();
  for (const example of examples) {
    part("example").append(new Option(example.name));
  }
  part("example").addEventListener("change", chooseExample);
  part("order").addEventListener("submit", (event) => { event.preventDefault(); check(); });
  part("cancel").addEventListener("click", cancel);
  part("text").addEventListener("input", number);
  part("text").addEventListener("scroll", align);
  part("text").addEventListener("keydown", typed);
  chooseExample();
}

function chooseExample() {
  const example = examples[part("example").selectedIndex];
  part("name").value = example.name;
  part("text").value = example.text;
  part("property").value = "";
  part("engine").value = "auto";
  part("text").scrollTop = 0;
  number();
}

function number() {
  const lines = part("text").value.split("\n").length;
  part("numbers").textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
  align();
}

function align() {
  part("numbers").scrollTop = part("text").scrollTop;
}

function typed(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    check();
  }
}

function say(...lines) {
  part("status").replaceChildren(...lines);
}

function line(text, kind) {
  const element = document.createElement("div");
  element.textContent = text;
  if (kind) {
    element.className = kind;
  }
  return element;
}

async function check() {
  await cancel();
  const order = {
    name: part("name").value.trim(),
    text: part("text").value,
    engine: part("engine").value,
    property: part("property").value.trim(),
    seconds: Number(part("seconds").value),
  };
  part("report").hidden = true;
  say(line("sent"));
  try {
    const answer = await fetch("/api/checks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(order),
    });
    const given = await answer.json();
    if (!answer.ok) {
      say(line(given.error, "error"));
      return;
    }
    await follow(given.id);
  } catch {
    say(line("the server does not answer; is `pincer serve` still running?", "error"));
  }
}

async function follow(id) {
  running = id;
  part("cancel").disabled = false;
  while (running === id) {
    const answer = await fetch(`/api/checks/${id}`);
    const seen = await answer.json();
    if (running !== id) {
      return;
    }
    if (!answer.ok) {
      say(line(seen.error, "error"));
      break;
    }
    if (seen.state === "done") {
      show(id, seen);
      break;
    }
    say(...progress(seen));
    await wait(POLL_MS);
  }
  if (running === id) {
    running = null;
    part("cancel").disabled = true;
  }
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
  const lines = seen.properties.map((one) => line(`${one.word}  ${one.name}: ${one.why}`, one.verdict));
  if (seen.error) {
    const place = seen.error.line ? `${seen.error.line}:${seen.error.column ?? 1}: ` : "";
    lines.push(line(place + seen.error.message, "error"));
  }
  say(...lines);
  if (seen.report) {
    part("report").src = `/api/checks/${id}/report`;
    part("report").hidden = false;
  }
}

async function cancel() {
  if (running !== null) {
    const id = running;
    running = null;
    part("cancel").disabled = true;
    say(line("cancelled"));
    await fetch(`/api/checks/${id}`, { method: "DELETE" });
  }
}

start();
