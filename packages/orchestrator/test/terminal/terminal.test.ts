import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { SnapshotError } from "../../src/events/control.ts";
import { fit } from "../../src/terminal/clean-text.ts";
import { renderTable } from "../../src/terminal/render-table.ts";
import { showProgress } from "../../src/terminal/show-progress.ts";
import { FakeControl, now, retry, run, snapshotOf } from "../support/fake-control.ts";

class Output extends EventEmitter {
  columns = 100;
  rows = 24;
  text = "";
  readonly isTTY: boolean;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  write(text: string): void {
    this.text += text;
  }

  /** What a person sees: the last drawing without its control sequences. */
  get seen(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is removed
    return (this.text.split("\x1b[H").at(-1) ?? "").replace(/\x1b\[[?\d;]*[A-Za-z]/g, "");
  }
}

test("the table holds every issue under way, its phase, turns, tokens, age and last words", () => {
  const lines = renderTable(snapshotOf(), { columns: 100, rows: 24 }, { url: "http://127.0.0.1:1/", notes: [] });
  const text = lines.join("\n");
  assert.match(text, /1\/10 running {2}1 retrying {2}1 blocked {2}0 waiting {2}1 finished/);
  assert.match(text, /^MT-649 +StreamingTurn +7 +2,000 +5m 12s +Working on tests/m);
  assert.match(text, /^MT-650 +retry 3 in 30s +no available/m);
  assert.match(text, /^MT-651 +blocked +5s +approval_required: /m);
  assert.match(text, /checked 1s ago, next in 29s *\nhttp:\/\/127\.0\.0\.1:1\//);
  const draining = renderTable(snapshotOf({ mode: "draining" }), { columns: 100, rows: 24 }, { url: null, notes: [] });
  assert.match(draining[0] ?? "", /\[draining\]/);
  assert.match(draining[3] ?? "", /finishing running turns; press Ctrl-C again to stop now/);
});

test("it fits every terminal, also with wide and hostile text, and says how much it leaves out", () => {
  const title = "日本語のタイトル\x1b[2J\r\n👩‍👩‍👧 \u202e";
  const many = Array.from({ length: 50 }, (_, index) => run({ identifier: `MT-${index}`, lastEvent: null, title }));
  const health = {
    ...snapshotOf().health,
    trackerError: { code: "tracker_request", message: `down\x1b[1m ${"x".repeat(300)}` },
  };
  const state = snapshotOf({ running: many, retrying: Array.from({ length: 50 }, () => retry()), health });
  for (let columns = 1; columns < 140; columns += 3) {
    for (const rows of [1, 3, 8, 24, 80]) {
      const lines = renderTable(state, { columns, rows }, { url: null, notes: ["a", "b"] });
      assert.ok(lines.length <= rows, `${lines.length} of ${rows}`);
      for (const line of lines) {
        assert.ok(Bun.stringWidth(line) <= columns, `${Bun.stringWidth(line)} > ${columns}: ${line}`);
        assert.doesNotMatch(line, /[\p{Cc}\u202e]/u);
      }
    }
  }
  const lines = renderTable(state, { columns: 100, rows: 24 }, { url: null, notes: [] });
  assert.ok(lines.some((line) => /^… and 85 more/.test(line)));
  assert.ok(lines.some((line) => line.startsWith("! tracker: tracker_request: down")));
});

test("cutting keeps the width exactly", () => {
  for (const text of ["", "a", "日本", "日本語", "a日b本c", "x".repeat(30)]) {
    for (let width = 0; width < 12; width++) assert.equal(Bun.stringWidth(fit(text, width)), width, `${text} ${width}`);
  }
});

test("in a terminal the table follows the state and the window, and the terminal comes back as it was", async () => {
  const control = new FakeControl();
  const stdout = new Output(true);
  const stderr = new Output(true);
  const display = showProgress(control, { stdout, stderr });
  assert.ok(stdout.text.startsWith("\x1b[?1049h\x1b[?25l"));
  assert.match(stdout.seen, /MT-649/);
  control.change({ running: [run({ identifier: "MT-700" })] });
  await eventually(() => /MT-700/.test(stdout.seen) && !/MT-649/.test(stdout.seen));
  stdout.columns = 20;
  stdout.rows = 5;
  stdout.emit("resize");
  for (const line of stdout.seen.split("\r\n")) assert.ok(line.length <= 20, line);
  assert.ok(stdout.seen.split("\r\n").length <= 5);
  stdout.columns = 200;
  stdout.rows = 40;
  const fields = { issue_id: "abc", issue_identifier: "MT-700", error: "it said no" };
  control.emit({ type: "log", at: now, level: "warn", message: "hook failed", fields });
  await eventually(() => /^\d\d:15:30 MT-700: hook failed: it said no/m.test(stdout.seen));
  assert.equal(stderr.text, "");
  control.fails = new SnapshotError("unavailable", "It has ended.");
  control.change({});
  await eventually(() => stdout.seen.includes("It has ended."));
  display.stop();
  display.stop();
  assert.ok(stdout.text.endsWith("\x1b[?7h\x1b[?25h\x1b[?1049l"));
  assert.equal(stdout.text.split("\x1b[?1049l").length, 2);
  assert.equal(stdout.listenerCount("resize"), 0);
  assert.equal(control.listeners.size, 0);
});

test("elsewhere events are lines of JSON on stdout and the log is on stderr", () => {
  const control = new FakeControl();
  const stdout = new Output(false);
  const stderr = new Output(false);
  const url = "http://127.0.0.1:1/";
  const status = { url, ownUrl: `${url}#token=secret`, tokenFile: "/home/status-1.token" };
  const display = showProgress(control, { stdout, stderr, status });
  const ref = { issueId: "1", identifier: "MT-1", runId: "r" };
  control.emit({ type: "run.started", at: now, title: "T", attempt: 0, ...ref });
  control.emit({
    type: "retry.scheduled",
    at: now,
    issueId: "1",
    identifier: "MT-1",
    attempt: 2,
    dueAt: now + 1000,
    error: null,
  });
  control.emit({ type: "log", at: now, level: "info", message: "hello", fields: {} });
  control.change({});
  display.stop();
  control.emit({ type: "run.started", at: now, title: "later", attempt: 0, ...ref });
  const lines = stdout.text
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as unknown);
  assert.deepEqual(lines, [
    { type: "listening", url: "http://127.0.0.1:1/", token_file: "/home/status-1.token" },
    {
      type: "run.started",
      at: "2026-02-24T20:15:30.000Z",
      title: "T",
      attempt: 0,
      issue_id: "1",
      issue_identifier: "MT-1",
      run_id: "r",
    },
    {
      type: "retry.scheduled",
      at: "2026-02-24T20:15:30.000Z",
      issue_id: "1",
      issue_identifier: "MT-1",
      attempt: 2,
      due_at: "2026-02-24T20:15:31.000Z",
      error: null,
    },
  ]);
  assert.equal(stderr.text, "time=2026-02-24T20:15:30.000Z level=info msg=hello\n");
});
