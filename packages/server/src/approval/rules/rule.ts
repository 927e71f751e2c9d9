/** What a rule says of the commands that it is about. */
export type RuleDecision = "allow" | "prompt" | "forbidden";

/** A rule about commands that begin with certain words. */
export interface PrefixRule {
  /** The words; a list where any of several will do. */
  readonly pattern: readonly (string | readonly string[])[];
  readonly decision: RuleDecision;
  /** Why, for the user or the model; `null` where the rule does not say. */
  readonly justification: string | null;
}

/** Whether a command begins with the words of a rule. */
export function matches({ pattern }: PrefixRule, command: readonly string[]): boolean {
  if (command.length < pattern.length) return false;
  return pattern.every((word, index) => {
    const given = command[index] as string;
    return typeof word === "string" ? word === given : word.includes(given);
  });
}

/** The line of a rules file that allows commands with this beginning. */
export function allowLine(prefix: readonly string[]): string {
  return `prefix_rule(pattern=[${prefix.map((word) => JSON.stringify(word)).join(", ")}], decision="allow")\n`;
}

/** A rule about a host. */
export interface HostRule {
  readonly host: string;
  readonly decision: "allow" | "deny";
}

/** The line of a rules file that says whether a host may be reached. */
export function networkLine(host: string, action: "allow" | "deny", protocol: string): string {
  const why = `${action === "allow" ? "Allow" : "Deny"} ${protocol} access to ${host}`;
  return `network_rule(host=${JSON.stringify(host)}, protocol="${protocol}", decision="${action}", justification=${JSON.stringify(why)})\n`;
}
