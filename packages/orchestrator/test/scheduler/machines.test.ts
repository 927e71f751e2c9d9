import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Orchestrator } from "@quire/orchestrator";
import { eventually } from "@quire/testkit";
import { findPostgres, type PostgresServer, postgresServer } from "@quire/testkit/postgres";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { again, type Place, place } from "../support/place.ts";

describe("orchestrators of several machines on one tracker", {
  skip: findPostgres() === null && "no PostgreSQL",
}, () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await postgresServer();
  });
  after(() => postgres.stop());

  /** Two orchestrators with homes of their own, as on two machines, that name the same database. */
  async function twoMachines(behaviour: string): Promise<{ at: Place; second: () => Orchestrator; url: string }> {
    const url = await postgres.createDatabase();
    const tracker = new MemoryTracker(issueOf("A"));
    tracker.scope = "shared";
    const env = { ...process.env, CLAIMS_URL: url };
    const settings = { machines: { database: "$CLAIMS_URL", lease_ms: 5000 } };
    const at = await place(tracker, { behaviour, settings, env });
    const elsewhere = join(at.path, "other-machine");
    mkdirSync(elsewhere);
    const workflow = join(elsewhere, "WORKFLOW.md");
    copyFileSync(at.workflow, workflow);
    const stateFile = join(elsewhere, "state.sqlite");
    return { at, url, second: () => again(at, tracker, { workflow, stateFile, env }) };
  }

  test("the second is refused, with the machine of the first, until that has ended", async () => {
    const { at, second } = await twoMachines("hang");
    await using _ = at;
    await at.orchestrator.start();
    await at.until("a run", ({ running }) => running.length === 1);
    await using refused = second();
    await assert.rejects(refused.start(), {
      code: "tracker_taken",
      message: /An orchestrator on \S+ works on these issues \(shared\)/,
    });
    await refused.shutDown();
    await at.orchestrator.shutDown();
    await using next = second();
    await next.start();
    await eventually(() => next.snapshot().running.length > 0);
  });

  test("one whose lease another machine has taken over stops, with its runs", async () => {
    const { at, url } = await twoMachines("hang");
    await using _ = at;
    await at.orchestrator.start();
    await at.until("a run", ({ running }) => running.length === 1);
    const sql = new Bun.SQL(url, { max: 1 });
    await sql`UPDATE quire_orchestrators SET holder = 'another', host = 'build-2', lease_until = now() + interval '1 hour'`;
    await sql.end();
    await eventually(() => /another machine has taken over shared/.test(at.log()), {
      timeoutMs: 60_000,
      what: "the first to stop",
    });
    await eventually(() => at.events.some(({ type }) => type === "run.ended"), { what: "the end of its run" });
  });

  test("a database that cannot be reached is an error at the start, not a second orchestrator", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    tracker.scope = "shared";
    const env = { ...process.env, CLAIMS_URL: "postgres://nobody:nothing@127.0.0.1:1/none" };
    await using at = await place(tracker, { settings: { machines: { database: "$CLAIMS_URL" } }, env });
    await assert.rejects(at.orchestrator.start(), /machines\.database \(\$CLAIMS_URL\) cannot be used/);
    assert.equal(at.wire("A").length, 0);
  });
});
