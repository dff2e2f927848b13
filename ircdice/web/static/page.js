// Everything works without this file: it adds new rolls as they come, copying, and checks in the browser.
"use strict";

const bytes = (text) => new TextEncoder().encode(text);
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const unbase64 = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const hex = (data) => Array.from(data, (one) => one.toString(16).padStart(2, "0")).join("");

function join(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

function number(value, size) {
  const data = new Uint8Array(size);
  for (let at = size - 1, rest = BigInt(value); at >= 0; at--, rest >>= 8n) data[at] = Number(rest & 255n);
  return data;
}

function prefixed(value) {
  const data = typeof value === "string" ? bytes(value) : value;
  return join(number(data.length, 2), data);
}

const sha256 = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));
const same = (one, other) => hex(one) === hex(other);

async function hmac(key, data) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, data));
}

// The dice (LED-13, LED-14)

async function committed(epoch) {
  return same(await sha256(join(bytes("ircdice1:seed\0"), number(epoch.epoch, 4), unhex(epoch.seed))), epoch.commitment);
}

async function derives(epoch, place, roll) {
  const stir = epoch.mixes.find((each) =>
    each.generation === roll.generation && each.network === place.network && each.channel === place.channel);
  const mix = stir ? unhex(stir.mix) : new Uint8Array();
  const where = join(prefixed(place.network), prefixed(place.channel));
  const key = await hmac(unhex(epoch.seed),
    join(bytes("ircdice1:key\0"), where, number(roll.generation, 1), prefixed(mix)));
  let numbers = [];
  let block = 0;
  for (const [sides, face] of roll.draws) {
    const fair = 2 ** 32 - (2 ** 32 % sides);
    let found = fair;
    while (found >= fair) {
      if (!numbers.length) {
        const data = await hmac(key, join(bytes("ircdice1:draw\0"), number(roll.counter, 8), number(block++, 4)));
        const view = new DataView(data.buffer);
        numbers = Array.from({ length: 8 }, (_, nth) => view.getUint32(4 * nth));
      }
      found = numbers.shift();
    }
    if ((found % sides) + 1 !== face) return false;
  }
  return true;
}

async function checkEpoch(address, say) {
  const epoch = await (await fetch(address)).json();
  epoch.commitment = unbase64(epoch.commitment);
  if (!(await committed(epoch))) return say("The seed is NOT the one that was committed to.");
  let right = 0;
  for (const roll of epoch.rolls) {
    if (!(await derives(epoch, epoch, roll))) return say(`The dice of ${roll.id} are NOT what the seed gives.`);
    right += 1;
    if (right % 100 === 0) say(`${right} of ${epoch.rolls.length} rolls are right so far …`);
  }
  return say(`The seed is the one that was committed to, and the dice of all ${right} rolls are what it gives.`);
}

// One roll's proof (LED-11, LED-12)

async function leaf(record) {
  const draws = join(...record.draws.map(([sides, face]) => join(number(sides, 4), number(face, 4))));
  return sha256(join(number(0, 1), bytes("ircdice1:record\0"), number(record.seq, 8), number(record.ts, 8),
    prefixed(record.kind), number(record.ref, 8), number(record.epoch, 4), number(record.counter, 8),
    number(record.generation, 1), prefixed(record.network), prefixed(record.channel), prefixed(record.nick),
    prefixed(record.who), prefixed(record.text), prefixed(draws), prefixed(record.line), prefixed(unhex(record.sealed)),
    prefixed(unhex(record.blind)), prefixed(record.rules), prefixed(record.tag)));
}

async function root(hash, index, size, path) {
  const steps = [...path];
  for (let last = size - 1; last > 0; index >>= 1, last >>= 1) {
    if (index % 2 === 0 && index === last) continue;
    const next = unhex(steps.shift() ?? "");
    hash = await sha256(index % 2 ? join(number(1, 1), next, hash) : join(number(1, 1), hash, next));
  }
  return steps.length ? new Uint8Array() : hash;
}

async function signed(note, key) {
  const end = note.lastIndexOf("\n\n");
  const text = bytes(note.slice(0, end + 1));
  const verifying = await crypto.subtle.importKey("raw", unbase64(key), "Ed25519", false, ["verify"]);
  for (const line of note.slice(end + 2).split("\n").filter((each) => each.startsWith("— "))) {
    const signature = unbase64(line.split(" ").pop()).slice(4);
    if (await crypto.subtle.verify("Ed25519", verifying, signature, text)) return true;
  }
  return false;
}

async function checkProof(address, key, say) {
  const proof = await (await fetch(address)).json();
  if (proof.error) return say(proof.error);
  const [, size, top] = proof.checkpoint.split("\n");
  const found = await root(await leaf(proof.record), proof.index, Number(size), proof.path);
  if (!same(found, unbase64(top))) return say("This record does NOT lead to the checkpoint.");
  let signature;
  try {
    signature = await signed(proof.checkpoint, key);
  } catch {
    signature = null;  // a browser without Ed25519
  }
  if (signature === false) return say("The checkpoint is NOT signed by the key of this page.");
  const parts = [`The record is one of the ${size} that the checkpoint counts`,
    signature ? "the key of this page signed it" : "this browser cannot check the signature"];
  const epoch = proof.epoch;
  if (epoch && epoch.seed && proof.record.counter) {
    epoch.commitment = unhex(epoch.commitment);
    if (!(await committed(epoch)) || !(await derives(epoch, proof.record, proof.record)))
      return say("The dice are NOT what the published seed gives.");
    parts.push("its dice are what the published seed gives");
  } else if (epoch && !epoch.seed) parts.push("the seed of its dice is published when the epoch is over");
  return say(`${parts.join("; ")}.`);
}

function button(box, check) {
  if (!globalThis.crypto?.subtle) return;  // only with HTTPS or on localhost
  box.hidden = false;
  const status = box.querySelector("[role=status]");
  box.querySelector("button").addEventListener("click", async () => {
    status.textContent = "Checking …";
    try {
      await check((text) => (status.textContent = text));
    } catch {
      status.textContent = "The check could not be made.";
    }
  });
}

for (const box of document.querySelectorAll("[data-epoch]")) button(box, (say) => checkEpoch(box.dataset.epoch, say));
for (const box of document.querySelectorAll("[data-proof]"))
  button(box, (say) => checkProof(box.dataset.proof, box.dataset.key, say));

// Copying

if (navigator.clipboard)
  for (const line of document.querySelectorAll("[data-copy]")) {
    const copy = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: "Copy" });
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(line.textContent);
      copy.textContent = "Copied";
    });
    if (line.localName === "pre") line.before(copy);  // it may be long
    else line.after(copy);
  }

// A page that cannot be shown yet asks again, and is loaded once it can

const waiting = document.querySelector("[data-retry]");
if (waiting)
  setInterval(async () => {
    const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
    if (answer?.ok && !(await answer.text()).includes("data-retry")) location.reload();
  }, 1000 * waiting.dataset.retry);

// New rolls as they are posted. After a break there may have been others: the page is loaded again.

function live(address, name, show) {
  const events = new EventSource(address);
  let broken = false;
  events.addEventListener("error", () => (broken = true));
  events.addEventListener("open", () => broken && location.reload());
  events.addEventListener(name, (event) => show(JSON.parse(event.data)));
}

const log = document.querySelector("[data-events]");
if (log)
  live(log.dataset.events, "roll", ({ day, html }) => {
    const entry = new DOMParser().parseFromString(html, "text/html").querySelector("li");
    if (document.getElementById(entry.id)) return;
    entry.classList.add("new");
    let section = log.querySelector(`[data-day="${day}"]`);
    if (!section) {
      section = document.createElement("section");
      section.dataset.day = day;
      section.append(Object.assign(document.createElement("h2"), { textContent: day }));
      section.append(Object.assign(document.createElement("ol"), { className: "entries" }));
      log.prepend(section);
      log.querySelector(":scope > p")?.remove();
    }
    section.querySelector("ol").prepend(entry);
  });

// The table, whenever something on it changed

const table = document.querySelector("[data-table]");
if (table)
  live(table.dataset.table, "table", ({ html }) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    table.replaceChildren(...page.body.childNodes);
    table.previousElementSibling.textContent = table.querySelector(".last .line")?.textContent ?? "";
  });
