import { ConnectionError } from "@quire/jsonrpc";

/** A command was killed because its `timeoutMs` was over. Its `code` is `timeout`, as that of every other limit. */
export class ExecTimeoutError extends ConnectionError {
  override readonly name: string = "ExecTimeoutError";
  /** Output until then, read as UTF-8; empty for a stream, which has its own. `stderr` is likewise that of the command. */
  readonly stdout: string;

  constructor(
    timeoutMs: number,
    { stdout = "", stderr = "" }: { readonly stdout?: string; readonly stderr?: string } = {},
  ) {
    super("timeout", `The command took longer than ${timeoutMs} ms and was killed`, { mayHaveRun: true, stderr });
    this.stdout = stdout;
  }
}
