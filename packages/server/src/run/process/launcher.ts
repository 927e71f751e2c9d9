import type { SandboxPolicy } from "@quire/protocol";

/** A command about to run. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Prepares what it needs, before it starts. The result is called when it has ended. */
  readonly hold?: (() => () => void) | undefined;
}

/** The limits of a command. */
export interface Confinement {
  readonly policy: SandboxPolicy;
  /** The working folders; `workspaceWrite` makes them writable along with its own roots. */
  readonly workspace: readonly string[];
  /** Paths below these that stay closed to writing, besides those that always do. */
  readonly readOnly?: readonly string[] | undefined;
  /** True when it gets a terminal of its own. */
  readonly tty: boolean;
  /** The socket of a proxy that is its only way to the network, if the policy allows network at all. */
  readonly proxy?: string | undefined;
}

/**
 * Turns a command into the one that is run, for example in a sandbox. Throws an Error with the remedy when a policy
 * cannot be enforced: nothing ever runs with more rights than its policy gives.
 */
export type Launcher = (launch: Launch, confinement: Confinement) => Launch;

/** Runs everything as it is, with the rights of the server. */
export const direct: Launcher = (launch) => launch;
