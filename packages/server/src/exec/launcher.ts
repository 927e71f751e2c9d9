import type { SandboxPolicy } from "@quire/protocol";

/** What is about to be run. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Turns what shall be run into what is run, such as the same within a sandbox. Throws an Error with the remedy where a
 * policy cannot be enforced: nothing ever runs with more rights than its policy gives.
 */
export type Launcher = (launch: Launch, policy: SandboxPolicy) => Launch;

/** Runs everything as it is, with the rights of the server. */
export const direct: Launcher = (launch) => launch;
