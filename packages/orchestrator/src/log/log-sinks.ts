import type { EventListener, LogLevel } from "../events/events.ts";
import { formatLog, type LogLine } from "./format-log.ts";

/** From the least to the most severe. */
const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** A destination for log lines. */
export interface LogSink {
  /** For the warning when it fails. */
  readonly name: string;
  /** Writes one line, without its line break. May throw. */
  write(line: string): void;
}

/**
 * Hands each line of the log to all sinks. One that throws is left out from then on and the others log that; the
 * orchestrator continues, also when none is left.
 *
 * @param level Less severe lines are left out.
 */
export function logTo(sinks: readonly LogSink[], level: LogLevel = "debug"): EventListener {
  let working = [...sinks];

  const write = (line: LogLine) => {
    const text = formatLog(line);
    const failed: { readonly sink: LogSink; readonly error: unknown }[] = [];
    for (const sink of working) {
      try {
        sink.write(text);
      } catch (error) {
        failed.push({ sink, error });
      }
    }
    if (failed.length === 0) return;
    working = working.filter((sink) => !failed.some((each) => each.sink === sink));
    for (const { sink, error } of failed) {
      const reason = error instanceof Error ? error.message : String(error);
      write({
        at: line.at,
        level: "warn",
        message: "log sink failed",
        fields: { sink: sink.name, outcome: "dropped", reason },
      });
    }
  };

  return (event) => {
    if (event.type === "log" && levels.indexOf(event.level) >= levels.indexOf(level)) write(event);
  };
}
