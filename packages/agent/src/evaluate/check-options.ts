import { AgentConfigError } from "./config-error.ts";

/** Throws where options have a name that does not exist, and names the one that was probably meant. */
export function checkOptions(
  what: string,
  given: object,
  {
    known,
    otherNames = new Map(),
  }: { readonly known: readonly string[]; readonly otherNames?: ReadonlyMap<string, string> },
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.includes(name)) continue;
    const meant = otherNames.get(name) ?? closest(name, known);
    const remedy = meant === undefined ? `it has ${known.join(", ")}` : `use ${meant}`;
    throw new AgentConfigError(`${what} has no option ${name}: ${remedy}`);
  }
}

/** The known name that differs in its spelling only, or by at most two letters. */
function closest(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.replace(/[^a-z0-9]/gi, "").toLowerCase();
  const ranked = known
    .map((each) => ({ each, distance: distance(plain(each), plain(name)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= 2 ? best.each : undefined;
}

/** The number of letters to insert, remove or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 0; at < from.length; at++) {
    const next = [at + 1];
    for (let index = 0; index < to.length; index++) {
      const changed = (row[index] ?? 0) + (from[at] === to[index] ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
