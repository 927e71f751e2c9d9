/** A small part of `npm run bench -- fleet`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "@quire/testkit";
import { findPostgres } from "@quire/testkit/postgres";
import { chaos } from "../bench/fleet/chaos.ts";

test("servers and a database that fail lose nothing that a client was told, and run no turn twice", {
  skip: findPostgres() === null && "PostgreSQL is not installed",
  timeout: 300_000,
}, async () => {
  const { seed } = random();
  const { lost, twice, unreachable } = await chaos({ seed, servers: 3, threads: 6, faults: 6, leaseSeconds: 2 });
  assert.deepEqual({ lost, twice, unreachable }, { lost: [], twice: [], unreachable: [] }, `seed ${seed}`);
});
