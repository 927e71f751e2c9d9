/** Model providers whose token a program prints. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually, httpError, mockResponses, reply, tempDir } from "@quire/testkit";
import { longEnough } from "../../support/long-enough.ts";
import { testServer } from "../../support/test-server.ts";

/** A server whose provider's token is printed by a script. The script says in `runs` that it ran. */
async function withProgram(script: string, auth = "", row = "") {
  const model = await mockResponses();
  const folder = await tempDir("quire-token-");
  const program = join(folder.path, "print-token");
  writeFileSync(program, `#!/bin/sh\necho run >> "${folder.path}/runs"\n${script}\n`);
  chmodSync(program, 0o755);
  const config = [
    'model = "mock"',
    'model_provider = "mock"',
    "[model_providers.mock]",
    'name = "Mine"',
    `base_url = "${model.url}"`,
    "request_max_retries = 0",
    "stream_max_retries = 0",
    row,
    "[model_providers.mock.auth]",
    auth || 'command = "./print-token"\ncwd = "."',
  ];
  writeFileSync(join(folder.path, "config.toml"), config.join("\n"));
  const server = await testServer({ home: folder.path });
  const client = server.client;
  const runs = join(folder.path, "runs");
  return {
    ...{ model, client, folder: folder.path },
    run: async () => client.turn(await client.thread()),
    tokens: () => model.requests.map(({ headers }) => headers.authorization),
    runs: () => (existsSync(runs) ? readFileSync(runs, "utf8").split("\n").length - 1 : 0),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await model.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A process that has ended may still be listed, as long as nobody has asked how. */
function runs(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** Prints another token each time. */
const counting = 'echo "  token-$(wc -l < "$(dirname "$0")/runs" | tr -d " ")  "';

describe("a token that a program prints", () => {
  test("is asked for once by all threads, and goes with every request", async () => {
    await using it = await withProgram(counting);
    await Promise.all([it.run(), it.run(), it.run()]);
    assert.equal((await it.run()).status, "completed");
    assert.deepEqual(it.tokens(), Array(4).fill("Bearer token-1"));
    assert.equal(it.runs(), 1);
  });

  test("is asked for again when it is refused, once, and when its time is over", async () => {
    await using it = await withProgram(counting);
    it.model.script(httpError(401), reply().text("hello"), httpError(401), httpError(401));
    assert.equal((await it.run()).status, "completed");
    assert.deepEqual(it.tokens(), ["Bearer token-1", "Bearer token-2"]);
    assert.match((await it.run()).error?.message ?? "", /401/);
    assert.deepEqual(it.tokens().slice(2), ["Bearer token-2", "Bearer token-3"]);
    await using brief = await withProgram(counting, 'command = "./print-token"\ncwd = "."\nrefresh_interval_ms = 1');
    await brief.run();
    await brief.run();
    assert.equal(new Set(brief.tokens()).size, 2);
  });

  for (const { name, script, auth, words } of [
    { name: "fails", script: "echo locked >&2; exit 3", words: /`.\/print-token` failed: locked/ },
    { name: "prints nothing", script: "echo", words: /printed nothing/ },
    { name: "prints more than one", script: "echo a; echo b", words: /printed no token/ },
    { name: "is not there", script: "", auth: 'command = "no-such-program"', words: /was not found/ },
  ]) {
    test(`is missing where the program ${name}: the turn says why, and nothing is sent`, async () => {
      await using it = await withProgram(script, auth);
      const message = (await it.run()).error?.message ?? "";
      assert.match(message, /^No token for "Mine": .*Check model_providers.mock.auth\.$/);
      assert.match(message, words);
      assert.deepEqual(it.tokens(), []);
    });
  }

  test("is not waited for longer than it may take, and what the program has started ends with it", async () => {
    const script = 'sleep 600 & echo $! > "$(dirname "$0")/started"; wait';
    await longEnough(async (limitMs) => {
      await using it = await withProgram(script, `command = "./print-token"\ncwd = "."\ntimeout_ms = ${limitMs}`);
      const message = (await it.run()).error?.message ?? "";
      assert.match(message, new RegExp(`took longer than ${limitMs} ms`));
      const file = join(it.folder, "started");
      const started = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
      if (started === 0) return undefined;
      return await eventually(() => !runs(started), { what: "the end of what it started" });
    });
  });

  test("that stands beside another way to have one, or without a program, is refused with its place", async () => {
    for (const [auth, row, words] of [
      ['command = "x"', 'env_key = "KEY"', /mock\.auth: cannot be combined with env_key/],
      ['command = "x"', "requires_openai_auth = true", /cannot be combined with requires_openai_auth/],
      ['args = ["x"]', "", /command is missing/],
      ['command = "x"\ntimeout_ms = 0', "", /timeout_ms: must be at least 1/],
    ] as const) {
      await using it = await withProgram("", auth, row);
      await assert.rejects(it.client.thread(), words);
    }
  });
});
