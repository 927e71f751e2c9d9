import { ErrorCode, RpcError } from "@quire/jsonrpc";
import { Base64Error, decodeBase64 } from "../../lib/base64.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import type { ClientCommand } from "./client-command.ts";

/** Bytes of each output that are taken unless asked otherwise. */
export const defaultOutputCap: number = 1024 * 1024;
/** The default timeout of a command. */
export const defaultTimeoutMs = 10_000;

const defaultSize: TerminalSize = { cols: 80, rows: 24 };

/** A terminal's size in characters. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** Params that do not go together, or have no possible value. */
export function invalidParams(message: string): RpcError {
  return new RpcError({ code: ErrorCode.invalidParams, message });
}

/** @param what The subject of the error. */
export function checkSize(size: TerminalSize, what: string): TerminalSize {
  if (size.cols > 0 && size.rows > 0) return size;
  throw invalidParams(`${what} size rows and cols must be greater than 0`);
}

/** The size of the terminal that was asked for; `undefined` for none. */
export function terminalSize(
  params: { readonly tty?: boolean | undefined; readonly size?: TerminalSize | null | undefined },
  method: string,
  what: string,
): TerminalSize | undefined {
  if (!params.tty) {
    if (params.size) throw invalidParams(`${method} size requires tty: true`);
    return undefined;
  }
  return checkSize(params.size ?? defaultSize, what);
}

/** Refuses an empty command. */
export function checkCommand(command: readonly string[]): void {
  if (command.length === 0) throw invalidRequest("command must not be empty");
}

/** An environment with some variables set, and those that are `null` gone. */
export function mergedEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  changes: Readonly<Record<string, string | null>> | null | undefined,
): Record<string, string> {
  const merged = { ...base, ...changes };
  const entries = Object.entries(merged).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(entries);
}

/** Input from a client. */
export interface WriteParams {
  readonly deltaBase64?: string | null | undefined;
  readonly closeStdin?: boolean | undefined;
}

/** Writes to a command. @param method and @param noun as the errors name them. */
export async function writeInput(
  find: () => ClientCommand,
  { deltaBase64, closeStdin }: WriteParams,
  { method, noun }: { readonly method: string; readonly noun: string },
): Promise<void> {
  if (typeof deltaBase64 !== "string" && !closeStdin)
    throw invalidParams(`${method} requires deltaBase64 or closeStdin`);
  const bytes = decoded(deltaBase64 ?? "");
  const { input } = find();
  if (input === undefined) throw invalidRequest(`stdin streaming is not enabled for this ${noun}`);
  if (input.closed) throw invalidRequest("stdin is already closed");
  if (bytes.length > 0) await input.write(bytes);
  if (closeStdin) input.close();
}

function decoded(text: string): Uint8Array {
  try {
    return decodeBase64(text);
  } catch (error) {
    if (error instanceof Base64Error) throw invalidParams(`invalid deltaBase64: ${error.message}`);
    throw error;
  }
}

/** Sets the size of a command's terminal. */
export function resizeTerminal(command: ClientCommand, size: TerminalSize): void {
  if (!command.resize(size)) throw invalidRequest("failed to resize PTY: process is not attached to a PTY");
}
