import type { Handlers } from "../../processor.ts";
import { handlers as changes } from "./changes.ts";
import { handlers as history } from "./history.ts";
import { handlers as lifecycle } from "./lifecycle.ts";
import { handlers as reading } from "./reading.ts";
import { handlers as terminals } from "./terminals.ts";

/** All of `thread/*`. */
export const handlers: Handlers = { ...lifecycle, ...reading, ...changes, ...history, ...terminals };
