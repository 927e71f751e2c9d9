import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import type { LogFields } from "../../src/events/events.ts";
import { FileSink } from "../../src/log/file-sink.ts";
import { formatLog } from "../../src/log/format-log.ts";
import { logTo } from "../../src/log/log-sinks.ts";

const at = Date.UTC(2026, 0, 2, 3, 4, 5);
const line = (message: string, fields: LogFields = {}) => formatLog({ at, level: "info", message, fields });

test("a line names issue and session first, and quotes only where it must", () => {
  const fields = {
    outcome: "failed",
    reason: 'said "no"',
    session_id: "t-1",
    issue_identifier: "MT-1",
    issue_id: "1",
    n: 3,
    gone: undefined,
  };
  assert.equal(
    line("turn ended", fields),
    'time=2026-01-02T03:04:05.000Z level=info msg="turn ended" issue_id=1 issue_identifier=MT-1 session_id=t-1 outcome=failed reason="said \\"no\\"" n=3',
  );
});

test("no value can begin another line, another field, or a colour", () => {
  for (const text of ["a\nlevel=error", "a\r\n", "a b=c", "\x1b[31mred", "a\u2028b", "", "x\u0085y", "\\"]) {
    const formatted = line("m", { value: text });
    assert.doesNotMatch(formatted, /[\p{Cc}\u2028\u2029]/u, JSON.stringify(text));
    const [, value = ""] = / value=(.*)$/.exec(formatted) ?? [];
    assert.equal(JSON.parse(value), text);
  }
  assert.ok(line("m", { value: "x".repeat(100_000) }).length < 1200);
});

test("a sink that fails is left out, the others hear of it, and nothing is thrown", () => {
  const good: string[] = [];
  let tries = 0;
  const bad = {
    name: "disk",
    write: () => {
      tries++;
      throw new Error("ENOSPC");
    },
  };
  const listener = logTo([bad, { name: "memory", write: (text) => good.push(text) }]);
  for (let index = 0; index < 3; index++)
    listener({ type: "log", at, level: "info", message: `m${index}`, fields: {} });
  assert.equal(tries, 1);
  assert.equal(good.length, 4);
  assert.match(good[1] ?? "", /level=warn msg="log sink failed" sink=disk outcome=dropped reason=ENOSPC/);
  const none = logTo([bad]);
  for (let index = 0; index < 3; index++) none({ type: "log", at, level: "info", message: "m", fields: {} });
  assert.equal(tries, 2);
});

test("a log file is begun anew when it is full, and only so many are kept", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "logs", "quire.log");
  const read = (name: string) => readFileSync(name, "utf8");
  {
    using sink = new FileSink({ path, maxBytes: 20, keep: 2 });
    for (const text of ["first line", "second line", "third line", "fourth line"]) sink.write(text);
  }
  assert.deepEqual(
    [read(path), read(`${path}.1`), read(`${path}.2`)],
    ["fourth line\n", "third line\n", "second line\n"],
  );
  assert.ok(!existsSync(`${path}.3`));
  assert.equal(statSync(path).mode & 0o077, 0);
  using again = new FileSink({ path, maxBytes: 100, keep: 2 });
  again.write("fifth");
  assert.equal(read(path), "fourth line\nfifth\n");
});

test("lines below the level are left out", () => {
  const lines: string[] = [];
  const listener = logTo([{ name: "test", write: (text) => lines.push(text) }], "warn");
  for (const level of ["debug", "info", "warn", "error"] as const) {
    listener({ type: "log", at, level, message: level, fields: {} });
  }
  assert.deepEqual(
    lines.map((text) => /msg=(\w+)/.exec(text)?.[1]),
    ["warn", "error"],
  );
});
