import type { LogLevel } from "../events/events.ts";
import type { LogFileOptions } from "../log/file-sink.ts";
import type { Settings } from "./settings.ts";
import { WorkflowError } from "./workflow-error.ts";

/** The log file of a workflow, beside the log on stderr. */
export interface LogConfig extends LogFileOptions {
  readonly level: LogLevel;
}

const megabyte = 1024 * 1024;

/** Reads `log`; null where the workflow has none. */
export function parseLog(
  settings: Settings,
  context: { readonly baseDir: string; readonly env: Readonly<Record<string, string | undefined>> },
): LogConfig | null {
  if (settings.keys().length === 0) return null;
  const path = settings.path("file", context);
  if (path === undefined) throw new WorkflowError("invalid_workflow_config", "log.file is missing: write a path");
  return {
    path,
    level: settings.choice("level", ["info", "debug", "warn", "error"]),
    maxBytes: settings.integer("max_mb", 10) * megabyte,
    keep: settings.integer("keep", 5, { least: 0, most: 100 }),
  };
}
