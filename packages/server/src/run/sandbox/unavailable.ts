import { ClientFault } from "../../lib/faults.ts";

/** A command was to run in a sandbox, and none can be had. It was not run. */
export class SandboxUnavailable extends ClientFault {
  override readonly name = "SandboxUnavailable";

  constructor(reason: string) {
    super(`${reason}; or run with full access (sandbox danger-full-access), which confines nothing`);
  }
}
