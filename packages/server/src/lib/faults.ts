import { errorMessage } from "./error-message.ts";
/** Something that the client can mend. A client is told its words, as an invalid request. */
export class ClientFault extends Error {}

/** Something that the server could not do, and a user can do something about. A client is told its words. */
export class ServerFault extends Error {}

/** Files of the server cannot be read or written. The words say which file, why, and what to do. */
export class StoreError extends ServerFault {
  override readonly name = "StoreError";

  /** @param doing What could not be done to what. */
  constructor(doing: string, cause: unknown) {
    const reason = errorMessage(cause);
    super(`cannot ${doing}: ${reason}; check the folder's permissions and free space`, { cause });
  }
}
