import type { Found } from "./compare-values.ts";
import type { DeclaredDifference } from "./scenario.ts";

/** Verdict on a scenario. */
export interface Verdict {
  /** Differences that are meant, with their places. */
  readonly expected: readonly { readonly declared: DeclaredDifference; readonly found: readonly Found[] }[];
  /** Differences that nobody declared. */
  readonly undeclared: readonly Found[];
  /** Differences of this scenario that were declared and do not occur. */
  readonly vanished: readonly DeclaredDifference[];
}

/**
 * Sorts differences by whether they are declared, by the scenario or for all scenarios. Each is counted to the first
 * declaration that matches it.
 */
export function judge(
  found: readonly Found[],
  own: readonly DeclaredDifference[],
  commonDifferences: readonly DeclaredDifference[],
): Verdict {
  const declared = [...own, ...commonDifferences];
  const claims = new Map<DeclaredDifference, Found[]>();
  const undeclared = found.filter((each) => {
    const claim = declared.find(({ at }) => matches(at, each.where));
    if (claim) claims.set(claim, [...(claims.get(claim) ?? []), each]);
    return !claim;
  });
  return {
    expected: [...claims].map(([declared, found]) => ({ declared, found })),
    undeclared,
    vanished: own.filter((each) => !claims.has(each)),
  };
}

function matches(at: string | RegExp, where: string): boolean {
  return typeof at === "string" ? where.startsWith(at) : at.test(where);
}
