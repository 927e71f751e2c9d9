import type { OrchestratorControl } from "../events/control.ts";
import { type LogSink, logTo } from "../log/log-sinks.ts";
import { jsonLines } from "./json-lines.ts";
import { type Display, showLiveTable, type TerminalOutput } from "./live-table.ts";

/** Outputs for progress. `process.stdout` and `process.stderr` fit. */
export interface ProgressOutputs {
  readonly stdout: TerminalOutput & { readonly isTTY?: boolean | undefined };
  readonly stderr: { readonly isTTY?: boolean | undefined; write(text: string): unknown };
  /** The status API, if it is served. */
  readonly status?: StatusAddress | undefined;
  /** Further places for the log. */
  readonly sinks?: readonly LogSink[] | undefined;
}

/** The status API, as shown to a user. */
export interface StatusAddress {
  readonly url: string;
  /** With the token: for the owner's terminal, not for logs. */
  readonly ownUrl: string;
  /** Path of the file that holds the token, for programs. */
  readonly tokenFile: string;
}

/**
 * Shows what the orchestrator does: in a terminal a table that renews itself, elsewhere events as lines of JSON, the first
 * of which tells the dashboard's address. The log goes to stderr, unless that is the very terminal with the table, which
 * shows its last warnings then.
 */
export function showProgress(control: OrchestratorControl, outputs: ProgressOutputs): Display {
  const { stdout, stderr, status, sinks = [] } = outputs;
  const interactive = stdout.isTTY === true;
  const quiet = interactive && stderr.isTTY === true;
  const own: LogSink[] = quiet ? [] : [{ name: "stderr", write: (line) => stderr.write(`${line}\n`) }];
  const stopLog = control.subscribe(logTo([...own, ...sinks]));
  if (interactive) {
    const table = showLiveTable(control, stdout, { url: status?.ownUrl });
    return {
      stop() {
        table.stop();
        stopLog();
      },
    };
  }
  if (status) {
    const { url, tokenFile } = status;
    stdout.write(`${JSON.stringify({ type: "listening", url, token_file: tokenFile })}\n`);
  }
  const stopLines = control.subscribe(jsonLines((line) => stdout.write(`${line}\n`)));
  return {
    stop() {
      stopLines();
      stopLog();
    },
  };
}
