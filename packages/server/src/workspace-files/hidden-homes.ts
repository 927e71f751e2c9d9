import { homesOf } from "./homes.ts";
import { realPathOf } from "./real-path.ts";
import { nowhere } from "./root.ts";

/** Homes move rarely; a lookup is valid this long. */
const believedMs = 1000;

interface Others {
  readonly said: string;
  readonly until: number;
  readonly paths: readonly string[];
}

let others: Others | undefined;

/** Real paths of the homes whose files are hidden: the server's first, then those of a Codex or Quire beside it. */
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
