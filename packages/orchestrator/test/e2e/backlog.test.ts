import assert from "node:assert/strict";
import { test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { assertNoProcesses, eventually, random, skipWithoutCodex } from "@quire/testkit";
import {
  type BacklogStage,
  backlogStage,
  doneBy,
  type PrintedEvent,
  type ServerKind,
  visible,
} from "./backlog-stage.ts";

const count = 30;
const identifiers = Array.from({ length: count }, (_, index) => `E2E-${index + 1}`);

/** Thirty real app-servers, five at a time, on a machine that is busy with other things. */
const timeout = 280_000;

/** Each issue is done, and was finished by exactly one agent. */
function assertEachOnce(stage: BacklogStage): void {
  for (const identifier of identifiers) {
    const text = stage.text(identifier);
    assert.match(text, /^state: Done$/m, identifier);
    assert.equal(text.split(doneBy(identifier)).length - 1, 1, `${identifier}:\n${text}`);
    assert.equal(text.split("## Comment of").length - 1, 1, `${identifier}:\n${text}`);
  }
  assert.deepEqual(visible(stage.issues).length, count);
}

/** Nothing is left: no process, no half-written file, no workspace of what is done, no lock. */
async function assertNothingLeft(stage: BacklogStage): Promise<void> {
  await assertNoProcesses({ tag: stage.tag }, { timeoutMs: 20_000 });
  assert.deepEqual(visible(stage.workspaces), []);
  const again = stage.start();
  assert.equal(await again.ended, 0, again.output());
  assert.deepEqual(ofType(again.events, "run.started"), []);
}

function ofType(events: readonly PrintedEvent[], type: string): string[] {
  return events.flatMap((event) => (event.type === type ? [event.issue_identifier ?? ""] : []));
}

/** The most runs that were under way at once. */
function widest(events: readonly PrintedEvent[]): number {
  let now = 0;
  let most = 0;
  for (const { type } of events) {
    if (type === "run.started") most = Math.max(most, ++now);
    if (type === "run.ended") now--;
  }
  return most;
}

const subjects: readonly { readonly kind: ServerKind; readonly name: string; readonly options: object }[] = [
  { kind: "quire", name: "our server", options: { timeout } },
  { kind: "codex", name: "the real Codex 0.166.0", options: { skip: await skipWithoutCodex(codexVersion), timeout } },
];

for (const { kind, name, options } of subjects) {
  test(`${count} issues, five at a time, through ${name}: all are finished, each once`, options, async () => {
    await using stage = await backlogStage(kind, count);
    const orchestrator = stage.start();
    assert.equal(await orchestrator.ended, 0, orchestrator.output());
    assertEachOnce(stage);
    assert.deepEqual(ofType(orchestrator.events, "run.started").toSorted(), identifiers.toSorted());
    assert.deepEqual(stage.begun().toSorted(), identifiers.toSorted());
    assert.equal(widest(orchestrator.events), 5);
    await assertNothingLeft(stage);
  });

  test(
    `${count} issues through ${name}, with the orchestrator killed five times: still each once`,
    options,
    async () => {
      const { int } = random();
      await using stage = await backlogStage(kind, count);
      for (let kills = 0; kills < 5; kills++) {
        const orchestrator = stage.start();
        // By what it printed, not by a clock, so that it is in the middle of something on every machine.
        const lines = int(1, 60);
        await eventually(() => orchestrator.events.length >= lines, { timeoutMs: 60_000, intervalMs: 1 });
        orchestrator.kill();
        assert.equal(await orchestrator.ended, null, orchestrator.output());
      }
      const last = stage.start();
      assert.equal(await last.ended, 0, last.output());
      assertEachOnce(stage);
      assert.ok(widest(last.events) <= 5);
      await assertNothingLeft(stage);
    },
  );
}
