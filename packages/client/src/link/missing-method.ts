import { ErrorCode, RpcError } from "@quire/jsonrpc";

/** Tells whether an error says that the server does not know the method. Codex says so with -32600 and the method's name. */
export function isMissingMethod(error: unknown, method: string): error is RpcError {
  if (!RpcError.is(error)) return false;
  if (error.code === ErrorCode.methodNotFound) return true;
  return error.code === ErrorCode.invalidRequest && error.message.includes(`unknown variant \`${method}\``);
}

/** Tells whether a method was refused because its thread has no turn yet: Codex has nothing stored that it could read. */
export function hasNoTurnYet(error: unknown): boolean {
  return RpcError.is(error) && / is not (supported|materialized) yet\b/.test(error.message);
}

/** Tells whether a method was refused because its thread is stored without pages, as all were before 0.151. */
export function needsPages(error: unknown): boolean {
  return RpcError.is(error) && error.message.includes("only supports paginated threads");
}

/**
 * The error of a call to a method that the server lacks, naming the version that has it. The table of versions is
 * loaded for it then and not before. Every other error is given back as it is.
 */
export async function explainMissingMethod(
  error: unknown,
  method: string,
  serverVersion: string | undefined,
): Promise<unknown> {
  if (serverVersion === undefined || !isMissingMethod(error, method)) return error;
  if (hasNoTurnYet(error)) {
    const message = `${method} works after the thread's first turn (the server says: ${error.message})`;
    return new RpcError({ code: ErrorCode.methodNotFound, message }, { cause: error });
  }
  const { explainMissing } = await import("@quire/protocol/versions");
  // Codex's own message continues to list every method it has.
  const message =
    explainMissing(method, serverVersion) ??
    `This server, which presents itself as Codex ${serverVersion}, does not serve ${method}: ask a full app-server`;
  return new RpcError({ code: ErrorCode.methodNotFound, message }, { cause: error });
}

/** Tries the newer way; on a server that lacks its method, the older. */
export async function orOlder<T>(method: string, newer: () => Promise<T>, older: () => Promise<T>): Promise<T> {
  try {
    return await newer();
  } catch (error) {
    if (!isMissingMethod(error, method)) throw error;
    return older();
  }
}
