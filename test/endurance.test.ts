/** A small part of `npm run bench -- endurance`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "@quire/testkit";
import { kills } from "../bench/endurance/kills/kills.ts";

test("a killed server leaves no process, no lock, and all that a client was told", {
  skip: process.platform !== "linux" && "commands outlive a killed server until the next one starts",
  // Seconds by itself, many of them beside others. Only a server that hangs reaches it.
  timeout: 540_000,
}, async () => {
  const { seed } = random();
  const [found] = await kills.run({ until: Number.POSITIVE_INFINITY, seed, rounds: 40 });
  assert.ok(found?.met, `${found?.title}: ${JSON.stringify(found?.times)}; seed ${seed}`);
});
