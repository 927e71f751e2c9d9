import type { Handlers } from "../../context/processor.ts";
import { handlers as attachments } from "./attachments.ts";
import { handlers as changes } from "./changes.ts";
import { handlers as elicitations } from "./elicitations.ts";
import { handlers as goals } from "./goals.ts";
import { handlers as guardian } from "./guardian.ts";
import { handlers as history } from "./history.ts";
import { handlers as lifecycle } from "./lifecycle.ts";
import { handlers as queue } from "./queue.ts";
import { handlers as readState } from "./read-state.ts";
import { handlers as reading } from "./reading.ts";
import { handlers as realtime } from "./realtime.ts";
import { handlers as sampling } from "./sampling.ts";
import { handlers as sectionMove } from "./section-move.ts";
import { handlers as terminals } from "./terminals.ts";
import { handlers as timeline } from "./timeline.ts";

/** All methods of `thread/*`. */
export const handlers: Handlers = {
  ...lifecycle,
  ...reading,
  ...changes,
  ...history,
  ...guardian,
  ...terminals,
  ...elicitations,
  ...goals,
  ...queue,
  ...sectionMove,
  ...readState,
  ...attachments,
  ...timeline,
  ...sampling,
  ...realtime,
};
