import { errorMessage } from "./error-message.ts";
/** A problem that the client can fix. Becomes an invalid-request error with this message. */
export class ClientFault extends Error {}

/** A problem of the server that a user can do something about. Becomes an internal error with this message. */
export class ServerFault extends Error {}

/** A file of the server could not be read or written. The message names the file, the reason and the remedy. */
export class StoreError extends ServerFault {
  override readonly name = "StoreError";

  /** @param doing The failed action and its object, after "cannot". */
  constructor(doing: string, cause: unknown) {
    const reason = errorMessage(cause);
    super(`cannot ${doing}: ${reason}; check the folder's permissions and free space`, { cause });
  }
}
