import { errorMessage } from "../../lib/error-message.ts";
import { type ProgramPaths, toProgramPaths } from "./program-paths.ts";
import type { HostRule, PrefixRule, RuleDecision } from "./rule.ts";
import { RuleReader, type RuleValue } from "./rule-reader.ts";

/** The content of a rules file. */
export interface ParsedRules {
  readonly rules: readonly PrefixRule[];
  readonly hosts: readonly HostRule[];
  readonly programs: readonly ProgramPaths[];
  /** Each with its line. */
  readonly problems: readonly string[];
}

/**
 * Parses a rules file: `prefix_rule` with `pattern`, `decision` and `justification`, `network_rule` with `host` and
 * `decision`, `host_executable` with `name` and `paths`. A file with a problem allows nothing: the lost rule may be one
 * that forbids.
 */
export function parseRules(text: string): ParsedRules {
  const rules: PrefixRule[] = [];
  const hosts: HostRule[] = [];
  const programs: ProgramPaths[] = [];
  const problems: string[] = [];
  const reader = new RuleReader(text);
  for (;;) {
    const start = reader.position;
    try {
      const call = reader.next();
      if (call === undefined) break;
      if (call.name === "prefix_rule") rules.push(toRule(call.args));
      else if (call.name === "network_rule") hosts.push(toHostRule(call.args));
      else if (call.name === "host_executable") programs.push(toProgramPaths(call.args));
      else problems.push(`line ${call.line}: \`${call.name}\` is not known`);
    } catch (error) {
      const problem = `line ${reader.line}: ${errorMessage(error)}`;
      problems.push(problem);
      rules.push(...closingRules(reader.skipToNextCall(start), problem));
    }
  }
  if (problems.length === 0) return { rules, hosts, programs, problems };
  const closing = <T extends { readonly decision: string }>(all: readonly T[]) =>
    all.filter(({ decision }) => decision !== "allow");
  return { rules: closing(rules), hosts: closing(hosts), programs: [], problems };
}

/** Closes what a lost rule names, if it forbids or asks. */
function closingRules(lost: string, problem: string): PrefixRule[] {
  if (!/forbid|prompt|deny/i.test(lost)) return [];
  return [askAboutAll(`a rule cannot be read (${problem})`)];
}

/** A rule that has every command asked about. */
export function askAboutAll(justification: string): PrefixRule {
  return { pattern: [], decision: "prompt", justification };
}

function toHostRule(args: ReadonlyMap<string, RuleValue>): HostRule {
  const host = args.get("host");
  if (typeof host !== "string" || host === "") throw new Error("`host` must be a text");
  // A host to ask about is not allowed yet, and `forbidden` means `deny`.
  return { host: host.toLowerCase(), decision: args.get("decision") === "allow" ? "allow" : "deny" };
}

const decisions: readonly RuleDecision[] = ["allow", "prompt", "forbidden"];

function toRule(args: ReadonlyMap<string, RuleValue>): PrefixRule {
  const decision = decisions.find((known) => known === (args.get("decision") ?? "allow"));
  if (decision === undefined) throw new Error('`decision` is "allow", "prompt" or "forbidden"');
  const justification = args.get("justification") ?? null;
  if (justification !== null && typeof justification !== "string") throw new Error("`justification` must be a text");
  return { pattern: toPattern(args.get("pattern")), decision, justification };
}

function toPattern(value: RuleValue | undefined): PrefixRule["pattern"] {
  if (!Array.isArray(value) || value.length === 0) throw new Error("`pattern` must be a list of at least one word");
  return value.map((word) => {
    if (typeof word === "string") return word;
    if (Array.isArray(word) && word.length > 0 && word.every((each) => typeof each === "string")) return word;
    throw new Error("a word of `pattern` must be a text or a list of texts");
  });
}
