import type { RunningProcess } from "./running-process.ts";

/** A command that runs, here or elsewhere, as far as sessions use it. */
export interface CommandProcess extends Pick<RunningProcess, "exited" | "writable" | "write" | "signal" | "kill"> {
  /** `null` when it runs on another machine. */
  readonly pid: number | null;
}
