import { codexVersion } from "@quire/protocol/version";
import { type ListeningServer, locateCodex } from "@quire/testkit";
import type { Stage } from "./stage.ts";
import { type Terminal, terminal } from "./terminal.ts";

/**
 * The empty composer of a TUI whose thread has started, with the model below it. Until then the TUI holds back a line that is
 * entered, and adds to it what is typed next.
 */
export const ready: RegExp = /Ask Codex to do anything\s+\S+ \S+ · \//;

/** Starts Codex's own TUI on a server. It is not {@link ready} yet. */
export function tui({ env, cwd }: Stage, { url }: Pick<ListeningServer, "url">, ...args: string[]): Promise<Terminal> {
  const codex = locateCodex(codexVersion) ?? "codex";
  return terminal({ command: [codex, "--remote", url, "-C", cwd, ...args], env, cwd });
}
