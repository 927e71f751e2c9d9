import type { Logger } from "../lib/logger.ts";
import type { Session } from "./session.ts";

/** Dispatches an event to a session. That telemetry fails is logged, and never keeps an evaluation from going on. */
export function publish(session: Session | undefined, event: object, logger?: Logger | undefined): void {
  try {
    const { errors } = session?.dispatch(event) ?? { errors: [] };
    for (const { error } of errors) logger?.warn?.("A subscriber failed", error);
  } catch (error) {
    logger?.warn?.("An event could not be delivered", error);
  }
}
