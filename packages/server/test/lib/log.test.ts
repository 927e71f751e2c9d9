import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createLog, type LogOptions } from "../../src/lib/log.ts";

function logged(options: Omit<LogOptions, "write">): { readonly lines: string[]; readonly levels: string } {
  const lines: string[] = [];
  const log = createLog({ ...options, write: (line) => lines.push(line) });
  log.error("one");
  log.warn("two");
  log.info("three");
  log.debug("four");
  return { lines, levels: lines.map((line) => /ERROR|WARN|INFO|DEBUG/.exec(line)?.[0]).join() };
}

describe("the log", () => {
  test("says as much as was asked for: the flag first, then QUIRE_LOG, then RUST_LOG", () => {
    assert.equal(logged({ env: {} }).levels, "ERROR");
    assert.equal(logged({ env: { RUST_LOG: "info" } }).levels, "ERROR,WARN,INFO");
    assert.equal(logged({ env: { RUST_LOG: "debug", QUIRE_LOG: "warn" } }).levels, "ERROR,WARN");
    assert.equal(logged({ env: { RUST_LOG: "debug" }, level: "off" }).levels, "");
    assert.equal(logged({ env: { RUST_LOG: "warn,codex_core=trace,quire=debug" } }).levels, "ERROR,WARN,INFO,DEBUG");
    assert.equal(logged({ env: { RUST_LOG: "codex_core=trace" } }).levels, "ERROR");
    assert.equal(logged({ env: { RUST_LOG: "nonsense" } }).levels, "ERROR");
  });

  test("is one JSON object per line with LOG_FORMAT=json, also when a message has several lines", () => {
    const lines: string[] = [];
    const log = createLog({ env: { LOG_FORMAT: "json" }, write: (line) => lines.push(line) });
    log.error("failed", new Error("a\nb"));
    assert.equal(lines.join("").split("\n").length, 2);
    const { timestamp, level, fields, target } = JSON.parse(lines[0] ?? "");
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual([level, target], ["ERROR", "quire"]);
    assert.match(fields.message, /^failed: Error: a\nb/);
  });

  test("leaves nothing for a terminal to act on, and no line that others could forge", () => {
    for (const env of [{}, { LOG_FORMAT: "json" }]) {
      const lines: string[] = [];
      createLog({ env, write: (line) => lines.push(line) }).error(
        "name \x1b]0;root\x07\x9b2J\u202e\n2026-01-01 INFO quire: fine",
      );
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      assert.doesNotMatch(lines.join(""), /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]|^2026-01-01/m);
    }
  });

  test("holds no secrets", () => {
    const lines: string[] = [];
    const log = createLog({ env: {}, write: (line) => lines.push(line) });
    const secrets = [
      "Authorization: Bearer abcdef123456",
      '{"api_key":"hunter2hunter2"}',
      '{"apiKey": "hunter2hunter2"}',
      "OPENAI_API_KEY=sk-proj-abcdefgh12345678",
      "token: hunter2hunter2",
      "see eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2lnbmF0dXJl",
      "password=hunter2hunter2&x=1",
      "x-api-key: hunter2hunter2",
      "Authorization: Basic hunter2hunter2",
      "cookie: session=hunter2hunter2",
      "https://me:hunter2hunter2@example.org/repo.git",
      "ws://hunter2hunter2@127.0.0.1:4500",
      '{\\"client_secret\\":\\"hunter2hunter2\\"}',
      "github_pat_hunter2hunter2hunter2",
      "-----BEGIN RSA PRIVATE KEY-----\nhunter2hunter2\n-----END RSA PRIVATE KEY-----",
    ];
    for (const secret of secrets) log.error(`malformed: ${secret}`, new Error(secret));
    for (const line of lines) assert.doesNotMatch(line, /hunter2|abcdef|eyJ/, line);
    const harmless = "used 12 tokens of the token limit, totalTokens: 1234, ssh://git@example.org/x, the key: Enter";
    log.error(harmless);
    assert.ok(lines.at(-1)?.includes(harmless), lines.at(-1));
  });

  test("is not held up by a long text, whatever it consists of", () => {
    const log = createLog({ env: {}, write: () => undefined });
    for (const part of [" ", "=", ":", "://x:", "token=  ", "eyJ.", "-----BEGIN PRIVATE KEY-----", "Bearer "]) {
      log.error(part.repeat(500_000 / part.length));
    }
  });

  test("goes to stderr and to nothing else", async () => {
    const code = `import { createLog } from ${JSON.stringify(new URL("../../src/lib/log.ts", import.meta.url).pathname)}; createLog({ env: {} }).error("here");`;
    const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe", stderr: "pipe" });
    assert.match(await new Response(child.stderr).text(), / ERROR quire: here\n$/);
    assert.equal(await new Response(child.stdout).text(), "");
  });
});
