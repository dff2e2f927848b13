// rpg-dice-roller beside ours: expressions on standard input as a JSON list of lists of texts, each list rolled once
// (distinct) and its first text as often (the same again). Out: a JSON list of pairs, medians in µs, each of the tenth
// of its list that nothing else on the machine held up, as in timing.py.
const { DiceRoll } = require("@dice-roller/rpg-dice-roller");

function median(texts) {
  const size = Math.max(Math.floor(texts.length / 10), 1);
  const parts = [];
  for (let at = 0; at + size <= texts.length; at += size) parts.push(ofPart(texts.slice(at, at + size)));
  return Math.min(...parts);
}

function ofPart(texts) {
  const taken = texts.map((text) => {
    const start = process.hrtime.bigint();
    new DiceRoll(text).output;
    return Number(process.hrtime.bigint() - start) / 1000;
  });
  return taken.sort((one, other) => one - other)[Math.floor(taken.length / 2)];
}

const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
asked.forEach((texts) => median(texts)); // what is run first is not yet compiled
console.log(JSON.stringify(asked.map((texts) => [median(texts), median(texts.map(() => texts[0]))])));
