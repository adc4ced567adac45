// Verifies the deals of a record (upcard-record/1), written apart from the service: node examples/verify.mjs FILE...
// The construction is stated in docs/verify.md. Exits with 1 if a proof does not hold.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const CARDS = [..."SHDC"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
const sha256 = (bytes) => createHash("sha256").update(bytes).digest();

// The numbers of one purpose (1 is the deal): HMAC blocks read as big-endian 32-bit words.
function* words(seed, round, purpose, clientSeeds) {
  const tail = Buffer.concat(clientSeeds.map((text) => sha256(Buffer.from(text ?? "", "utf8"))));
  for (let counter = 0; ; counter += 1) {
    const head = Buffer.alloc(9);
    head.writeUInt32BE(round, 0);
    head.writeUInt8(purpose, 4);
    head.writeUInt32BE(counter, 5);
    const message = Buffer.concat([Buffer.from("upcard-deal/1", "ascii"), head, tail]);
    const block = createHmac("sha256", seed).update(message).digest();
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

// A number below the bound, every one as likely: words in the last, incomplete stretch are passed over.
function below(bound, numbers) {
  const fair = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const word = numbers.next().value;
    if (word < fair) return word % bound;
  }
}

export function deck(seed, round, clientSeeds) {
  const numbers = words(seed, round, 1, clientSeeds);
  const cards = [...CARDS];
  for (let top = 51; top > 0; top -= 1) {
    const other = below(top + 1, numbers);
    [cards[top], cards[other]] = [cards[other], cards[top]];
  }
  return cards;
}

// What is wrong with the proof of a round, or null. The commitment is the one published before the first deal.
export function fault(round, number, commitment) {
  const { proof } = round;
  let hash = Buffer.from(proof.seed, "hex");
  for (let times = 0; times < number; times += 1) hash = sha256(hash);
  if (proof.commitment !== commitment || hash.toString("hex") !== commitment) return "the seed does not lead to the commitment";
  const dealt = deck(Buffer.from(proof.seed, "hex"), number, proof.client_seeds);
  return dealt.join() === round.deck.join() ? null : "the seeds give another deck";
}

for (const file of process.argv.slice(2)) {
  const { rounds } = JSON.parse(readFileSync(file, "utf8"));
  const commitment = rounds.find((round) => round.proof)?.proof.commitment;
  rounds.forEach((round, index) => {
    const wrong = round.proof && fault(round, index + 1, commitment);
    if (wrong) process.exitCode = 1;
    console.log(`round ${index + 1}: ${wrong ?? (round.proof ? "proven" : "no proof, as of a sandbox's deck")}`);
  });
}
