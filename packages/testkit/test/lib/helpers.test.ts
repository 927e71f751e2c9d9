import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Thread } from "@quire/protocol";
import {
  assertNoChildren,
  assertNoProcesses,
  chromiumPath,
  descendants,
  eventually,
  fakeClock,
  findChromium,
  random,
  taggedProcesses,
  tempDir,
  waitUntilStored,
} from "@quire/testkit";

test("the same seed gives the same values, another seed others", () => {
  const draw = (seed: number) => {
    const source = random(seed);
    return [source.int(0, 1e9), source.pick(["a", "b", "c"]), ...source.bytes(8), ...source.shuffle([1, 2, 3, 4, 5])];
  };
  assert.deepEqual(draw(1), draw(1));
  assert.notDeepEqual(draw(1), draw(2));
  assert.deepEqual(random(5).shuffle([1, 2, 3]).sort(), [1, 2, 3]);
});

test("values stay in their bounds and reach both ends", () => {
  const source = random(9);
  const drawn = new Set(Array.from({ length: 500 }, () => source.int(-1, 2)));
  assert.deepEqual([...drawn].sort(), [-1, 0, 1, 2]);
  assert.throws(() => source.pick([]), RangeError);
});

test("QUIRE_SEED wins over the seed in the test", () => {
  const before = process.env.QUIRE_SEED;
  try {
    process.env.QUIRE_SEED = "77";
    assert.equal(random(1).seed, 77);
    process.env.QUIRE_SEED = "seven";
    assert.throws(() => random(1), /must be a whole number/);
  } finally {
    if (before === undefined) delete process.env.QUIRE_SEED;
    else process.env.QUIRE_SEED = before;
  }
});

test("eventually waits for a value, swallows early errors and names what it waited for", async () => {
  let calls = 0;
  const value = await eventually(() => {
    calls++;
    if (calls === 1) throw new Error("not yet");
    return calls > 2 && "ready";
  });
  assert.equal(value, "ready");
  const failing = eventually(() => assert.fail("still wrong"), { timeoutMs: 20, what: "the answer" });
  await assert.rejects(
    failing,
    (error: Error) => /in vain for the answer/.test(error.message) && /still wrong/.test(String(error.cause)),
  );
});

test("waitUntilStored waits for the answer to the newest prompt, whatever is there before", async () => {
  const turn = (text: string, status: string, ...types: string[]) => ({
    status,
    items: [{ type: "userMessage", content: [{ type: "text", text }] }, ...types.map((type) => ({ type }))],
  });
  const first = turn("one", "completed", "agentMessage");
  const states = [
    undefined,
    [],
    [turn("two, not one", "completed", "agentMessage")],
    [first],
    [first, turn("two", "completed")],
    [first, turn("two", "inProgress", "agentMessage")],
    [first, turn("two", "completed", "agentMessage")],
  ];
  let reads = 0;
  const read = async () => {
    const turns = states[reads++];
    return turns && ({ turns } as unknown as Thread);
  };
  await waitUntilStored(read, "two");
  assert.equal(reads, states.length);
});

test("a temporary folder goes with all that is in it", async () => {
  let path = "";
  {
    await using dir = await tempDir();
    path = dir.path;
    await writeFile(join(path, "file"), "x");
    assert.equal(existsSync(path), true);
  }
  assert.equal(existsSync(path), false);
});

const sleeper = ["-e", "setInterval(() => {}, 1000); console.log('up')"];

test("a process left behind is found by its parent and by its tag, and named in the error", {
  timeout: 60_000,
}, async () => {
  const tag = `QUIRE_TEST_TAG=${process.pid}`;
  const env = { ...process.env, QUIRE_TEST_TAG: String(process.pid) };
  const child = spawn(process.execPath, sleeper, { env, stdio: ["ignore", "pipe", "ignore"] });
  try {
    await once(child.stdout, "data");
    assert.ok((await descendants(process.pid)).some(({ pid }) => pid === child.pid));
    assert.deepEqual(
      (await taggedProcesses(tag)).map(({ pid }) => pid),
      [child.pid],
    );
    await assert.rejects(assertNoProcesses({ tag }, { timeoutMs: 1 }), new RegExp(`left behind:\\n  ${child.pid} `));
    await assert.rejects(assertNoChildren({ timeoutMs: 1 }), /left behind/);
  } finally {
    child.kill("SIGKILL");
  }
  await assertNoProcesses({ tag });
});

test("Chromium is what CHROMIUM names, else what is on PATH; none is told with the remedy", async () => {
  await using folder = await tempDir("quire-chromium-");
  const before = { CHROMIUM: process.env.CHROMIUM, PATH: process.env.PATH };
  const onPath = join(folder.path, "chromium");
  try {
    Object.assign(process.env, { CHROMIUM: join(folder.path, "mine"), PATH: folder.path });
    assert.equal(findChromium(), null);
    await writeFile(join(folder.path, "mine"), "");
    await writeFile(onPath, "");
    assert.equal(findChromium(), join(folder.path, "mine"));
    delete process.env.CHROMIUM;
    assert.equal(chromiumPath(), onPath);
    process.env.PATH = "";
    assert.throws(() => chromiumPath(), /apt-get install chromium-headless-shell/);
  } finally {
    process.env.PATH = before.PATH;
    if (before.CHROMIUM !== undefined) process.env.CHROMIUM = before.CHROMIUM;
  }
});

test("a fake clock fires timers at their time and in order, also those that a timer sets", () => {
  const clock = fakeClock({ now: 0 });
  const fired: [string, number][] = [];
  const note = (name: string) => () => void fired.push([name, clock.now()]);
  clock.setTimeout(note("late"), 30);
  clock.after(10, () => clock.after(5, note("nested")));
  clock.setTimeout(note("cancelled"), 20)();
  clock.advance(29);
  assert.deepEqual([fired, clock.now(), clock.pending], [[["nested", 15]], 29, 1]);
  clock.advance(1);
  assert.deepEqual(fired.at(-1), ["late", 30]);
});

test("a fake clock lets short timers fire at once, and keeps their lengths", async () => {
  const clock = fakeClock({ instantBelowMs: 100 });
  await new Promise<void>((resolve) => void clock.after(99, resolve));
  clock.after(100, () => assert.fail("it is not due"));
  assert.deepEqual([clock.waits, clock.pending], [[99], 1]);
});
