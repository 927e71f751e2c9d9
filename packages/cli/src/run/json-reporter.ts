import { TurnError } from "@quire/client";
import { failureMessage } from "@quire/client/link";
import { jsonText } from "../lib/json-text.ts";
import type { Reporter } from "./reporter.ts";

/**
 * For programs: one JSON object per line on stdout, each with a `type`. First `thread.started`, then the events of the
 * turn, at last `result` or `error`.
 */
export function jsonReporter(): Reporter {
  const print = (value: object) => void process.stdout.write(`${jsonText(value)}\n`);
  return {
    thread: ({ id, data }) => print({ type: "thread.started", threadId: id, thread: data }),
    event: print,
    warning: (message) => print({ type: "warning", message }),
    result: ({ status, agentMessage, usage, diff, output, turn }) =>
      print({ type: "result", status, turnId: turn.id, agentMessage, output, diff, usage }),
    failure(error) {
      const info = TurnError.is(error)
        ? { codexErrorInfo: error.codexErrorInfo, details: error.additionalDetails }
        : {};
      print({ type: "error", message: failureMessage(error), ...info });
    },
  };
}
