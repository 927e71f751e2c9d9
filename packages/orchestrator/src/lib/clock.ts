import { systemClock as machineClock, type Clock as TimeOfDay } from "@quire/agent/runtime";

/** Time as the orchestrator needs it: the time of day for people and files, and one that nobody can set for all that waits. */
export interface Clock extends TimeOfDay {
  /** Milliseconds since some moment. Goes on evenly, whatever becomes of the time of day. */
  elapsed(): number;
}

/** The machine's own time. */
export const systemClock: Clock = { ...machineClock, elapsed: () => performance.now() };
