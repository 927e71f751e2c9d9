/** A rule's decision. `prompt-user` is an administrator's alone: a person is asked each time. */
export type RuleDecision = "allow" | "prompt" | "prompt-user" | "forbidden";

/** A rule about commands with a prefix. */
export interface PrefixRule {
  /** The words; a list for alternatives. */
  readonly pattern: readonly (string | readonly string[])[];
  readonly decision: RuleDecision;
  readonly justification: string | null;
  /** True to match words in upper and lower case alike. */
  readonly ignoresCase?: boolean;
}

/** True when a command begins with the words of a rule. */
export function matches(rule: PrefixRule, command: readonly string[]): boolean {
  const { pattern } = rule;
  if (command.length < pattern.length) return false;
  return pattern.every((_, index) => matchesWord(rule, index, command[index] as string));
}

/** True when a word of a rule is this one. */
export function matchesWord({ pattern, ignoresCase }: PrefixRule, index: number, given: string): boolean {
  const word = pattern[index] ?? [];
  const words = typeof word === "string" ? [word] : word;
  return ignoresCase ? words.some((each) => each.toLowerCase() === given.toLowerCase()) : words.includes(given);
}

/** The line of a rules file that allows commands with this beginning. */
export function allowLine(prefix: readonly string[]): string {
  return `prefix_rule(pattern=[${prefix.map(quoted).join(", ")}], decision="allow")\n`;
}

/** A rule about a host. */
export interface HostRule {
  readonly host: string;
  readonly decision: "allow" | "deny";
}

/** The line of a rules file about a host. */
export function networkLine(host: string, action: "allow" | "deny", protocol: string): string {
  const why = `${action === "allow" ? "Allow" : "Deny"} ${protocol} access to ${host}`;
  return `network_rule(host=${quoted(host)}, protocol="${protocol}", decision="${action}", justification=${quoted(why)})\n`;
}

/** Quotes text for rules files, with escapes that every reader knows. Throws for half a character. */
function quoted(text: string): string {
  if (/\p{Cs}/u.test(text)) throw new Error("a rule cannot hold half a character");
  const escaped = text.replace(/["\\]|[^\P{C}]|[\u2028\u2029]/gu, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
  return `"${escaped}"`;
}
