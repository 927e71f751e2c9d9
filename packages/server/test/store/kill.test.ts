import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { random } from "@quire/testkit";
import type { ThreadRecord } from "../../src/record/thread-record.ts";
import { openStore } from "../../src/store/open-store.ts";
import { everything, testStore, turnLines } from "./support.ts";

const writer = join(dirname(fileURLToPath(import.meta.url)), "kill-writer.ts");
const linesInTurn = turnLines("", "").length;

/** Lets a process write until it has told of so many lines and then for so long, kills it, gives what it told last. */
async function writeAndKill(
  args: readonly string[],
  lines: number,
  spins: number,
): Promise<{ turn: number; line: number }> {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.split("\n").length <= lines) continue;
    // Not a sleep: the moment of the kill shall fall anywhere within a write.
    for (let spin = 0; spin < spins; spin++) Math.random();
    child.kill("SIGKILL");
  }
  const [turn = 0, line = 0] = (output.trimEnd().split("\n").at(-1) ?? "").split(" ").map(Number);
  return { turn, line };
}

/** What the writer told of is there. */
function check(record: ThreadRecord | undefined, told: { turn: number; line: number }, where: string): void {
  const last = record?.turns[told.turn];
  assert.ok(record && last, where);
  assert.ok(
    record.turns.every((turn) => turn.status !== "inProgress"),
    where,
  );
  if (told.line === linesInTurn) assert.equal(last.status, "completed", where);
  const said = record.history.filter(({ turnId }) => turnId === last.id).length;
  assert.ok(said >= (told.line >= 4 ? 2 : told.line >= 2 ? 1 : 0), where);
  assert.ok(last.items.length >= (told.line >= 5 ? 2 : told.line >= 3 ? 1 : 0), where);
}

const name = "kill -9 at any moment loses nothing that was acknowledged, and the thread lists, reads and resumes";

test(name, { timeout: 540_000 }, async () => {
  await using it = await testStore();
  const { int, seed } = random();
  console.log(`seed ${seed}`);
  const threads = Array.from({ length: 4 }, () => Bun.randomUUIDv7());
  for (let round = 0; round < 25; round++) {
    const kills = threads.map(async (id) => {
      const told = await writeAndKill([it.home, id], int(1, 40), int(0, 200_000));
      check(await it.store.read(id), told, `round ${round}, ${JSON.stringify(told)}, seed ${seed}`);
    });
    await Promise.all(kills);
  }
  const server = openStore(it.home);
  // A writer that was killed before its first user message left a thread that lists leave out.
  const listed = (await server.list(everything)).threads.map((thread) => thread.id);
  for (const id of threads) {
    const before = await server.read(id);
    assert.equal(listed.includes(id), before?.preview !== "");
    const opened = await server.open(id);
    opened?.rollout.append(turnLines("after", "still there?"));
    const after = await server.read(id);
    assert.equal(after?.turns.length, (before?.turns.length ?? 0) + 1);
    assert.equal(after?.turns.at(-1)?.status, "completed");
  }
  assert.deepEqual(readdirSync(join(it.home, "locks")), [], "and the locks of the dead are swept away");
  await server.close();
});
