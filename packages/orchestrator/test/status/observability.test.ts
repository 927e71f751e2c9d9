/** Section 17.6 of the conformance matrix, one test for each line of it, on an orchestrator at work. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, test } from "node:test";
import { serveStatus, showProgress } from "@quire/orchestrator";
import { eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { type Place, place } from "../support/place.ts";

const known = ({ token }: { readonly token: string }) => ({ headers: { authorization: `Bearer ${token}` } });

/** A terminal, or what is none. */
class Output extends EventEmitter {
  columns = 160;
  rows = 40;
  text = "";
  readonly isTTY: boolean;
  fails = false;

  constructor(isTTY = false) {
    super();
    this.isTTY = isTTY;
  }

  write(text: string): void {
    if (this.fails) throw new Error("EPIPE");
    this.text += text;
  }
}

function shown(at: Place, isTTY = false) {
  const outputs = { stdout: new Output(isTTY), stderr: new Output() };
  return { ...outputs, display: showProgress(at.orchestrator, outputs) };
}

/** Works until the only issue has been released. */
async function untilFinished(at: Place): Promise<void> {
  await at.until("the run to end", ({ retrying }) => retrying.length === 1);
  at.clock.advance(1000);
  await at.until("the issue to be let go", ({ finished }) => finished.length === 1);
}

describe("17.6", () => {
  test("what is wrong with the workflow is seen by the operator: in the log, the terminal and the API", async () => {
    await using at = await place(new MemoryTracker(issueOf("A-1")), { behaviour: "hang" });
    await using server = serveStatus(at.orchestrator, { port: 0 });
    const { stderr, display } = shown(at);
    await at.orchestrator.start();
    await at.until("a run", ({ running }) => running.length === 1);
    at.write("---\ntracker: [\n---\n");
    await at.until("the error", ({ health }) => health.workflowError !== null);
    const state = (await (await fetch(new URL("/api/v1/state", server.url), known(server))).json()) as {
      health: { workflow_error: { code: string } };
      running: unknown[];
    };
    assert.equal(state.health.workflow_error.code, "workflow_parse_error");
    assert.equal(state.running.length, 1);
    assert.match(await (await fetch(new URL("/dashboard", server.url), known(server))).text(), /workflow_parse_error/);
    assert.match(stderr.text, /level=error .*workflow_parse_error/);
    display.stop();
    const terminal = shown(at, true);
    assert.match(terminal.stdout.text, /! workflow: workflow_parse_error/);
    terminal.display.stop();
  });

  test("lines about an issue name it, and lines about a session name that too", async () => {
    await using at = await place(new MemoryTracker(issueOf("A-1")));
    const { stderr, display } = shown(at);
    await at.orchestrator.start();
    await untilFinished(at);
    display.stop();
    const lines = stderr.text.trim().split("\n");
    for (const message of ["run started", "run ended", "issue released"]) {
      const line = lines.find((each) => each.includes(`msg="${message}"`)) ?? "";
      assert.match(line, / issue_id=id-A-1 issue_identifier=A-1 /, message);
    }
    assert.match(
      lines.find((line) => line.includes("run ended")) ?? "",
      / session_id=thread-1-turn-1 outcome=Succeeded/,
    );
  });

  test("a place for the log that fails does not stop the work, and the others hear of it", async () => {
    const tracker = new MemoryTracker(issueOf("A-1"));
    await using at = await place(tracker);
    const outputs = { stdout: new Output(), stderr: new Output() };
    const kept: string[] = [];
    outputs.stderr.fails = true;
    const sinks = [{ name: "file", write: (line: string) => kept.push(line) }];
    const display = showProgress(at.orchestrator, { ...outputs, sinks });
    await at.orchestrator.start();
    await untilFinished(at);
    display.stop();
    assert.equal(tracker.state("A-1"), "Done");
    assert.equal(kept.filter((line) => line.includes('msg="log sink failed" sink=stderr')).length, 1);
    assert.ok(kept.some((line) => line.includes("issue released")));
  });

  test("tokens and limits stay right however often they are reported", async () => {
    const settings = { agent: { max_turns: 1 } };
    await using at = await place(new MemoryTracker(issueOf("A-1")), { behaviour: "tokens", settings });
    await using server = serveStatus(at.orchestrator, { port: 0 });
    await at.orchestrator.start();
    // The agent reports totals of 100, 100, 250 and 300, the last beside 9,010 for its last response alone.
    await at.until("the run to end", ({ retrying }) => retrying.length === 1);
    const state = (await (await fetch(new URL("/api/v1/state", server.url), known(server))).json()) as {
      codex_totals: { input_tokens: number; output_tokens: number; total_tokens: number };
      rate_limits: { primary: { usedPercent: number } };
    };
    const { input_tokens, output_tokens, total_tokens } = state.codex_totals;
    assert.deepEqual([input_tokens, output_tokens, total_tokens], [290, 10, 300]);
    assert.equal(state.rate_limits.primary.usedPercent, 42);
  });

  test("what is shown comes from the orchestrator's state, and showing it changes nothing", async () => {
    const tracker = new MemoryTracker(issueOf("A-1"));
    await using at = await place(tracker);
    const { stdout, display } = shown(at, true);
    await using server = serveStatus(at.orchestrator, { port: 0 });
    const leave = new AbortController();
    const stream = await fetch(new URL("/api/v1/events", server.url), { ...known(server), signal: leave.signal });
    await at.orchestrator.start();
    await at.until("a run", ({ running, retrying }) => running.length + retrying.length > 0);
    await eventually(() => /A-1/.test(stdout.text));
    leave.abort();
    await stream.body?.cancel().catch(() => undefined);
    await untilFinished(at);
    assert.equal(tracker.state("A-1"), "Done");
    const detail = (await (await fetch(new URL("/api/v1/A-1", server.url), known(server))).json()) as {
      status: string;
    };
    assert.equal(detail.status, "finished");
    display.stop();
  });

  test("summaries tell the main kinds of events, and odd messages change nothing", async () => {
    const tracker = new MemoryTracker(issueOf("A-1"));
    await using at = await place(tracker, { behaviour: "odd", settings: { agent: { max_turns: 1 } } });
    await using server = serveStatus(at.orchestrator, { port: 0 });
    await at.orchestrator.start();
    await at.until("the run to end", ({ retrying }) => retrying.length === 1);
    const detail = (await (await fetch(new URL("/api/v1/A-1", server.url), known(server))).json()) as {
      recent_events: { event: string; message: string; name: string | null }[];
      last_error: unknown;
    };
    const kinds = new Set(detail.recent_events.map(({ event }) => event));
    for (const kind of ["phase", "session_started", "turn_started", "malformed", "turn_completed"]) {
      assert.ok(kinds.has(kind), `${kind} is missing of ${[...kinds].join(", ")}`);
    }
    assert.ok(detail.recent_events.some(({ name }) => name === "something/unheard"));
    for (const { message } of detail.recent_events) assert.ok(message.length <= 500 && !message.includes("\n"));
    assert.equal(detail.last_error, null);
  });
});
