import { RpcError } from "@quire/jsonrpc";
import { isMissing, withFsErrors } from "../files/file-errors.ts";

/** JSON-RPC code for a file or handle that is not there: clients look for many files that need not be. */
export const notFoundCode = -32_004;

/** Runs file-system work, and turns the system's errors into those of exec-servers. */
export function withExecErrors<T>(work: () => Promise<T>): Promise<T> {
  return withFsErrors(async () => {
    try {
      return await work();
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new RpcError({ code: notFoundCode, message: "No such file or directory (os error 2)" });
    }
  });
}
