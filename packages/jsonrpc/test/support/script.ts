import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";

/** A program in the runtime that runs the tests, with the package's exports in scope. */
export function script(body: string): { command: string; args: string[] } {
  const source = `
    import { Connection } from ${JSON.stringify(import.meta.resolve("@quire/jsonrpc"))};
    import { memoryPair } from ${JSON.stringify(import.meta.resolve("@quire/jsonrpc/memory"))};
    import { stdioTransport } from ${JSON.stringify(import.meta.resolve("@quire/jsonrpc/stdio"))};
    ${body}
  `;
  const args = "Bun" in globalThis ? ["-e", source] : ["--input-type=module", "-e", source];
  return { command: process.execPath, args };
}

/** Runs such a program to its own end and gives what it printed. It fails where the program does, or never ends. */
export async function run(body: string): Promise<string> {
  const { command, args } = script(body);
  const { stdout } = await promisify(execFile)(command, args, { timeout: 50_000, killSignal: "SIGKILL" });
  return stdout.trim();
}
