import type { AskForApproval, SandboxPolicy } from "@quire/protocol";
import { quoteCommand } from "../shell/quote.ts";
import type { EscalationKind } from "./action.ts";
import type { Commands } from "./commands.ts";
import { isRisky } from "./commands.ts";
import type { Policy } from "./policy.ts";
import { policyWords } from "./policy.ts";
import type { RuleVerdict } from "./rules/judge-rules.ts";
import { isTrustedScript } from "./trust/trusted-script.ts";

/** All that the decision over a command depends on. */
export interface CommandCase {
  readonly policy: Policy;
  readonly sandbox: SandboxPolicy["type"];
  /** Whether the sandbox that the policy wants can be had. */
  readonly confinable: boolean;
  readonly escalation: EscalationKind;
  readonly argv: readonly string[];
  readonly commands: Commands;
  readonly rules: RuleVerdict;
  /** Whether its programs are what their names say, so that rules and what is known of them can decide. */
  readonly vetted: boolean;
  /** Why the model asks, in its words. */
  readonly justification: string | null;
}

/** What becomes of a command. */
export type CommandVerdict =
  /** It runs, `outside` of the sandbox or within. */
  | { readonly kind: "run"; readonly outside: boolean }
  /** Somebody is asked. `reason` is for the user; `mayAmend`: whether a rule may be proposed. */
  | { readonly kind: "ask"; readonly reason: string | null; readonly mayAmend: boolean }
  /** It does not run; the model is told why. `bare` reasons are told as they are. */
  | { readonly kind: "refuse"; readonly reason: string; readonly bare?: boolean };

const within: CommandVerdict = { kind: "run", outside: false };
const outside: CommandVerdict = { kind: "run", outside: true };
const noForce = "rm -f style commands are not permitted. Use a safer approach";

/** Decides over a command. What was approved for the session is not known here: it answers an `ask`. */
export function judgeCommand(given: CommandCase): CommandVerdict {
  const { policy, escalation, rules, vetted, commands, argv } = given;
  const line = quoteCommand(argv);
  if (escalation !== "nothing" && !mayAskToLeave(policy)) {
    const words = policyWords(policy);
    const reason = `approval policy is ${words}; reject command — you cannot ask for escalated permissions if the approval policy is ${words}`;
    return { kind: "refuse", reason, bare: true };
  }
  if (rules.kind === "forbidden") {
    const { justification, pattern } = rules.rule;
    const begins = pattern.map((word) => (typeof word === "string" ? word : word.join("|"))).join(" ");
    const why = justification ?? `policy forbids commands starting with \`${begins}\``;
    return { kind: "refuse", reason: `\`${line}\` rejected: ${why}` };
  }
  if (rules.kind === "prompt") return askedByRule(policy, line, rules.rule.justification);
  if (rules.open.length === 0 && escalation !== "more" && vetted) return outside;
  if (isRisky(commands)) {
    if (policy === "never") return { kind: "refuse", reason: `\`${line}\` rejected: ${noForce}` };
    return mayAskToLeave(policy) ? ask(given) : { kind: "refuse", reason: noForce };
  }
  return byPolicy(given);
}

/** Why a command runs unasked: a rule allows it, or it only looks. */
export type Ground = "rule" | "looks";

/**
 * Why a command would run unasked where others would be asked about or confined, provided that its programs are what their
 * names say; `undefined` where that makes no difference.
 */
export function groundOf({
  policy,
  sandbox,
  escalation,
  rules,
  commands,
}: Omit<CommandCase, "vetted">): Ground | undefined {
  if (policy !== "untrusted" && isFree(sandbox)) return undefined;
  if (rules.kind === "none" && rules.open.length === 0) return escalation === "more" ? undefined : "rule";
  return policy === "untrusted" && escalation === "nothing" && isTrustedScript(commands) ? "looks" : undefined;
}

function isFree(sandbox: CommandCase["sandbox"]): boolean {
  return sandbox === "dangerFullAccess" || sandbox === "externalSandbox";
}

function byPolicy(given: CommandCase): CommandVerdict {
  const { policy, sandbox, confinable, escalation, vetted, commands } = given;
  if (policy === "untrusted")
    return escalation === "nothing" && confinable && vetted && isTrustedScript(commands) ? within : ask(given);
  if (isFree(sandbox)) return within;
  if (escalation !== "nothing") return ask(given);
  // Where it cannot be confined it does not run by itself: it is asked about, or starting it says what is missing.
  return confinable || !mayAskToLeave(policy) ? within : ask(given);
}

function ask({ justification }: CommandCase): CommandVerdict {
  return { kind: "ask", reason: justification, mayAmend: true };
}

function askedByRule(policy: Policy, line: string, why: string | null): CommandVerdict {
  if (policy === "never") {
    return { kind: "refuse", reason: "approval required by policy, but AskForApproval is set to Never" };
  }
  if (typeof policy === "object" && !policy.granular.rules) {
    return { kind: "refuse", reason: "approval required by policy rule, but AskForApproval::Granular.rules is false" };
  }
  const reason = why === null ? `\`${line}\` requires approval by policy` : `\`${line}\` requires approval: ${why}`;
  return { kind: "ask", reason, mayAmend: false };
}

/** Whether users may be asked to let something leave the sandbox. */
export function mayAskToLeave(policy: AskForApproval | "on-failure"): boolean {
  return policy !== "never" && (typeof policy !== "object" || policy.granular.sandbox_approval);
}
