import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { markReverted, markUnread } from "./read-marks.ts";

/** Marks turns that nobody has seen as unread. */
export const unread: Feature<Thread> = { end: markUnread, reverted: markReverted };
