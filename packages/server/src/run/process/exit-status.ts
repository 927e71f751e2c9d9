import { constants } from "node:os";

/** The end of a process. */
export interface ExitStatus {
  /** Its exit code; 128 plus the number for a signal. */
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
}

/** Makes one of what the runtime reports. */
export function exitStatus(code: number | null, signal: NodeJS.Signals | null): ExitStatus {
  if (code !== null) return { code, signal: null };
  return { code: signal ? 128 + (constants.signals[signal] ?? 0) : -1, signal };
}

/** Makes one of the system's wait status. */
export function waitStatus(status: number): ExitStatus {
  const number = status & 0x7f;
  if (number === 0) return { code: (status >> 8) & 0xff, signal: null };
  const [signal = null] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return { code: 128 + number, signal: signal as NodeJS.Signals | null };
}
