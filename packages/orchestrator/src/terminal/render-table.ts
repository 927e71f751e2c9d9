import type { Snapshot } from "../events/snapshot.ts";
import type { LogLine } from "../log/format-log.ts";
import { ago, count, limits, span } from "../status/format.ts";
import { fit, toWidth } from "./clean-text.ts";

/** Size and abilities of the screen. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

/** Text shown besides the state. */
export interface TableNotes {
  /** Address of the dashboard. */
  readonly url: string | null;
  /** The last lines of the log that matter, newest last. */
  readonly notes: readonly string[];
}

interface Column {
  readonly title: string;
  /** Columns it takes; 0 shares what is left. */
  readonly width: number;
}

const issueColumns: readonly Column[] = [
  { title: "ISSUE", width: 14 },
  { title: "STATUS", width: 20 },
  { title: "TURNS", width: 6 },
  { title: "TOKENS", width: 10 },
  { title: "AGE", width: 8 },
  { title: "LAST", width: 0 },
];

const draining = "finishing running turns; press Ctrl-C again to stop now";

/** A line of the log as short as can be, since the terminal's width is all that it gets. */
export function noteLine({ at, message, fields }: LogLine): string {
  const { issue_identifier: issue, error } = fields;
  const about = issue == null ? "" : `${issue}: `;
  return `${new Date(at).toTimeString().slice(0, 8)} ${about}${message}${error == null ? "" : `: ${error}`}`;
}

/** The lines of the table, at most as many as the screen has, none wider than it. */
export function renderTable(snapshot: Snapshot, screen: Screen, { url, notes }: TableNotes): string[] {
  const { columns, rows } = screen;
  const head = headLines(snapshot, url);
  const tail = [...problemLines(snapshot), ...notes.slice(-3)];
  const all = issueRows(snapshot);
  // The head, the table's titles and the tail always have their place; issues share the rest.
  const space = Math.max(rows - head.length - tail.length - 2, 0);
  const shown = all.length <= space ? all : all.slice(0, Math.max(space - 1, 0));
  const hidden = all.length - shown.length;
  const lines = [
    ...head.map((line) => fit(line, columns)),
    fit("", columns),
    tableLine(
      issueColumns.map(({ title }) => title),
      columns,
    ),
    ...shown.map((cells) => tableLine(cells, columns)),
    ...(hidden > 0 ? [fit(`… and ${hidden} more`, columns)] : []),
    ...tail.map((line) => fit(line, columns)),
  ];
  return lines.slice(0, rows);
}

function headLines(snapshot: Snapshot, url: string | null): string[] {
  const { running, retrying, blocked, finishedCount, waitingCount, totals, health, generatedAt: now } = snapshot;
  const mode = snapshot.mode === "running" ? "" : `  [${snapshot.mode}]`;
  const checked = `checked ${ago(health.lastTickAt, now)}`;
  const next = health.nextTickAt === null ? "" : `, next in ${span(health.nextTickAt - now)}`;
  return [
    `quire orchestrate  ${snapshot.workflowPath} (${snapshot.trackerKind})${mode}`,
    `${running.length}/${snapshot.maxConcurrentAgents} running  ${retrying.length} retrying  ${blocked.length} blocked  ${waitingCount} waiting  ${finishedCount} finished`,
    `${count(totals.totalTokens)} tokens (${count(totals.inputTokens)} in, ${count(totals.outputTokens)} out)  ${span(totals.secondsRunning * 1000)} of work${limits(snapshot.rateLimits, "  ")}`,
    snapshot.mode === "draining" ? draining : `${checked}${next}`,
    ...(url === null ? [] : [url]),
  ];
}

function problemLines({ health }: Snapshot): string[] {
  const all = [
    { name: "workflow", error: health.workflowError },
    { name: "tracker", error: health.trackerError },
    { name: "budget", error: health.budgetError },
  ];
  return all.flatMap(({ name, error }) => (error === null ? [] : [`! ${name}: ${error.code}: ${error.message}`]));
}

function issueRows({ running, retrying, blocked, waiting, generatedAt: now }: Snapshot): string[][] {
  return [
    ...running.map((run) => [
      run.identifier,
      run.phase,
      String(run.turnCount),
      count(run.tokens.totalTokens),
      span(now - run.startedAt),
      run.lastEvent?.message ?? run.title,
    ]),
    ...blocked.map((entry) => [
      entry.identifier,
      "blocked",
      "",
      "",
      span(now - entry.since),
      `${entry.reason.code}: ${entry.reason.message}`,
    ]),
    ...retrying.map((entry) => [
      entry.identifier,
      `retry ${entry.attempt} ${entry.dueAt <= now ? "now" : `in ${span(entry.dueAt - now)}`}`,
      "",
      "",
      "",
      entry.error ?? entry.title,
    ]),
    ...waiting.map((entry) => [entry.identifier, "waiting", "", "", "", `${entry.reason}: ${entry.title}`]),
  ];
}

function tableLine(cells: readonly string[], columns: number): string {
  const fixed = issueColumns.reduce((sum, { width }) => sum + width + 1, 0);
  const last = Math.max(columns - fixed, 0);
  const line = issueColumns.map(({ width }, index) => fit(cells[index] ?? "", width === 0 ? last : width)).join(" ");
  return toWidth(line, columns);
}
