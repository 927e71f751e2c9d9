import { ClientFault } from "../lib/faults.ts";

/** A config that cannot be used. The message names the file, the key and the remedy. */
export class ConfigError extends ClientFault {
  override readonly name = "ConfigError";
}
