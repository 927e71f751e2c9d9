import type { RateLimitSnapshot } from "@quire/protocol";
import type { EventBus } from "../events/event-bus.ts";
import type { LogFields } from "../events/events.ts";
import type { Issue } from "../tracker/issue.ts";
import type { Ledger } from "./ledger.ts";
import { startOf } from "./orphans.ts";
import type { RunListener } from "./run-state.ts";

/** Log fields that identify an issue. */
export function issueFields({ id, identifier }: Issue): LogFields {
  return { issue_id: id, issue_identifier: identifier };
}

/** Destinations of a run's notes. */
interface RunNotes {
  readonly ledger: Ledger;
  readonly bus: EventBus;
  readonly rateLimits: (limits: RateLimitSnapshot) => void;
}

/** Notes what a run does: in its log, in the totals, in the file, and for listeners. */
export function runListener({ ledger, bus, ...notes }: RunNotes, issue: Issue, runId: string): RunListener {
  const about = { issueId: issue.id, identifier: issue.identifier, runId };
  const fields = (): LogFields => ({
    ...issueFields(issue),
    session_id: ledger.running.get(issue.id)?.run.state.sessionId,
  });
  const noted = (what: string, note: () => void) => {
    try {
      note();
    } catch (error) {
      // The disk may be full. The work continues, and is known by what was noted before.
      ledger.notices.failed(what, error, fields());
    }
  };
  return {
    entry(reported) {
      const entry = bus.redacted(reported);
      ledger.logs.add(issue.id, entry);
      bus.emit({ type: "run.event", ...about, entry });
      if (entry.kind === "malformed") bus.log("warn", `malformed line: ${entry.message}`, fields());
    },
    progress() {
      noted("the run's progress", () => ledger.noteProgress(issue.id));
      bus.changed();
    },
    rateLimits(limits) {
      notes.rateLimits(limits);
      bus.changed();
    },
    // Where that cannot be noted, the mark in its environment still tells whose it is.
    process: (pid) => noted("the run's process", () => ledger.noteProcess(issue.id, pid, startOf(pid) ?? null)),
    stderr: (line) => bus.log("debug", line, { ...fields(), stream: "stderr" }),
  };
}
