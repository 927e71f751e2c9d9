import { homesOf } from "./homes.ts";
import { realPathOf } from "./real-path.ts";
import { nowhere } from "./root.ts";

/** Where homes lie changes when a user moves one; so long it is believed. */
const believedMs = 1000;

interface Others {
  /** What the environment said. */
  readonly said: string;
  readonly until: number;
  readonly paths: readonly string[];
}

let others: Others | undefined;

/**
 * The homes whose files are hidden, with no link on the way: the server's first, then those of a Codex or Quire beside it, as they
 * are hidden from commands. None for what is shown to no model.
 */
export function hiddenHomes(home: string): readonly string[] {
  if (home === nowhere) return [];
  const { CODEX_HOME, QUIRE_HOME, HOME } = process.env;
  const said = `${CODEX_HOME}\n${QUIRE_HOME}\n${HOME}`;
  const now = performance.now();
  if (others === undefined || others.said !== said || others.until < now) {
    const env = { CODEX_HOME, QUIRE_HOME, HOME };
    others = { said, until: now + believedMs, paths: homesOf({ home: "", env }).map(({ path }) => path) };
  }
  return [realPathOf(home), ...others.paths];
}
