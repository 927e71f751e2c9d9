import { type MethodName, methods } from "@quire/protocol/methods";
import { commonDifferences } from "./common-differences.ts";
import { type MethodNote, methodNotes } from "./method-notes.ts";
import type { Outcome } from "./run-scenario.ts";

/** A method's row. */
export interface MethodLine {
  readonly name: MethodName;
  /** Kind of message, by sender and whether a reply is due. */
  readonly kind: "request" | "notification" | "question";
  readonly verdict: MethodNote["verdict"] | "unknown";
  readonly why: string;
  /** Scenarios in which the real server or a client says it. */
  readonly scenarios: readonly string[];
}

/** A line for every method of the protocol. */
export function methodLines(outcomes: readonly Outcome[]): MethodLine[] {
  const seen = new Map<string, Set<string>>();
  for (const { scenario, real } of outcomes) {
    for (const [, method = ""] of real.trace.matchAll(
      /^\{"ms":\d+,"[^"]+":\{(?:"id":(?:\d+|"[^"]*"),)?"method":"([^"]+)"/gm,
    )) {
      seen.set(method, (seen.get(method) ?? new Set()).add(scenario.name));
    }
  }
  const differing = differences(outcomes);
  return Object.entries(methods).map(([method, { from, kind }]) => {
    const name = method as MethodName;
    const scenarios = [...(seen.get(name) ?? [])];
    const shared = {
      name,
      kind:
        kind === "notification"
          ? ("notification" as const)
          : from === "client"
            ? ("request" as const)
            : ("question" as const),
      scenarios,
    };
    const note = methodNotes[name];
    if (note) return { ...shared, ...note };
    const reasons = [...(differing.get(name) ?? [])];
    if (reasons.length > 0) return { ...shared, verdict: "differs", why: reasons.join(" ") };
    return { ...shared, verdict: scenarios.length > 0 ? "same" : "unknown", why: "" };
  });
}

/** Why replies to a method, or what is told by it, differ. */
function differences(outcomes: readonly Outcome[]): Map<string, Set<string>> {
  const reasons = new Map<string, Set<string>>();
  for (const { verdict } of outcomes) {
    for (const { declared, found } of verdict.expected)
      for (const { where } of found) {
        const method = /^(?:reply|event(?: adds:| lacks:)?) (\S+)/.exec(where)?.[1] ?? "";
        // What is lacking in every scenario is said once, for the notification itself.
        if (method === "" || (commonDifferences.includes(declared) && !where.startsWith("event"))) continue;
        reasons.set(method, (reasons.get(method) ?? new Set()).add(declared.reason));
      }
  }
  return reasons;
}
