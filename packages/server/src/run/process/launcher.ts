import type { SandboxPolicy } from "@quire/protocol";

/** What is about to be run. */
export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Makes what it needs for as long as it runs; called before it is started. What that gives is called when it has ended. */
  readonly hold?: (() => () => void) | undefined;
}

/** How far it may reach. */
export interface Confinement {
  readonly policy: SandboxPolicy;
  /** The folders of the work itself; `workspaceWrite` makes them writable along with its own roots. */
  readonly workspace: readonly string[];
  /** Whether it gets a terminal, made for it alone. */
  readonly tty: boolean;
  /** The socket of a proxy that is its only way to the network, where the policy gives it the network at all. */
  readonly proxy?: string | undefined;
}

/**
 * Turns what shall be run into what is run, such as the same within a sandbox. Throws an Error with the remedy where a
 * policy cannot be enforced: nothing ever runs with more rights than its policy gives.
 */
export type Launcher = (launch: Launch, confinement: Confinement) => Launch;

/** Runs everything as it is, with the rights of the server. */
export const direct: Launcher = (launch) => launch;
