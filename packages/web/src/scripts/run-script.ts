import { scriptWords } from "../words/words.ts";

/** Runs a shell script in a folder of a server's machine. */
export type RunScript = (
  script: string,
  options: { readonly env?: Readonly<Record<string, string>>; readonly args?: readonly string[] },
) => Promise<ScriptResult>;

/** The output of a script, and how it ended. */
export interface ScriptResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The exit code of the scripts where there is no repository. */
export const noRepository = 4;

/** Output beyond it is cut by the server. */
export const maxOutputBytes: number = 4 * 1024 * 1024;

/** A script's result, or its own words as an error where it failed. */
export async function succeeded(running: Promise<ScriptResult>): Promise<ScriptResult> {
  const result = await running;
  if (result.exitCode === 0) return result;
  throw new Error(result.stderr.trim() || result.stdout.trim() || scriptWords.failed(result.exitCode));
}
