import assert from "node:assert/strict";
import { test } from "node:test";
import { StderrLines } from "../../src/session/stderr-lines.ts";

test("what an app-server writes is told line by line, however it arrives", () => {
  const told: string[] = [];
  const lines = new StderrLines((line) => told.push(line));
  for (const byte of new TextEncoder().encode("warn: größer\n\r\nsecond\nthi")) lines.add(Uint8Array.of(byte));
  assert.deepEqual(told, ["warn: größer", "second"]);
  lines.add(new TextEncoder().encode("x".repeat(100_000)));
  lines.end();
  lines.end();
  assert.equal(told.length, 3);
  assert.equal(told[2]?.length, 2000);
});
