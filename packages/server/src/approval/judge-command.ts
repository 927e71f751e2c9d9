import type { AskForApproval, SandboxPolicy } from "@quire/protocol";
import { quoteCommand } from "@quire/protocol/shell";
import type { EscalationKind } from "./action.ts";
import type { Commands } from "./commands.ts";
import { isRisky } from "./commands.ts";
import type { Policy } from "./policy.ts";
import { policyName } from "./policy.ts";
import type { RuleVerdict } from "./rules/judge-rules.ts";
import { isTrustedScript } from "./trust/trusted-script.ts";

/** The facts that decide about a command. */
export interface CommandCase {
  readonly policy: Policy;
  readonly sandbox: SandboxPolicy["type"];
  /** True when the policy's sandbox is available. */
  readonly confinable: boolean;
  readonly escalation: EscalationKind;
  readonly argv: readonly string[];
  readonly commands: Commands;
  readonly rules: RuleVerdict;
  /** True when its programs are what their names say, so that rules can decide. */
  readonly vetted: boolean;
  /** The model's reason, in its words. */
  readonly justification: string | null;
}

/** The decision about a command. */
export type CommandVerdict =
  /** It runs, `outside` of the sandbox or within. */
  | { readonly kind: "run"; readonly outside: boolean }
  /** `reason` is for the user; `mayAmend` allows proposing a rule. */
  | {
      readonly kind: "ask";
      readonly reason: string | null;
      readonly mayAmend: boolean;
      /** True when a person has to decide, each time. */
      readonly human?: boolean;
    }
  /** The model gets the reason. `bare` ones without an introduction. */
  | { readonly kind: "refuse"; readonly reason: string; readonly bare?: boolean };

const within: CommandVerdict = { kind: "run", outside: false };
const outside: CommandVerdict = { kind: "run", outside: true };
const noForce = "rm -f style commands are not permitted. Use a safer approach";

/** Decides about a command. Approvals for the session are unknown here: they answer an `ask`. */
export function judgeCommand(given: CommandCase): CommandVerdict {
  const { policy, escalation, rules, vetted, commands, argv } = given;
  const line = quoteCommand(argv);
  if (escalation !== "nothing" && !mayEscalate(policy)) {
    const words = policyName(policy);
    const reason = `approval policy is ${words}; reject command — you cannot ask for escalated permissions if the approval policy is ${words}`;
    return { kind: "refuse", reason, bare: true };
  }
  if (rules.kind === "forbidden") {
    const { justification, pattern } = rules.rule;
    const begins = pattern.map((word) => (typeof word === "string" ? word : word.join("|"))).join(" ");
    const why = justification ?? `policy forbids commands starting with \`${begins}\``;
    return { kind: "refuse", reason: `\`${line}\` rejected: ${why}` };
  }
  if (rules.kind !== "none")
    return askedByRule(policy, line, { why: rules.rule.justification, human: rules.kind === "prompt-user" });
  if (rules.open.length === 0 && escalation !== "more" && vetted) return outside;
  if (isRisky(commands)) {
    if (policy === "never") return { kind: "refuse", reason: `\`${line}\` rejected: ${noForce}` };
    return { kind: "ask", reason: given.justification, mayAmend: mayEscalate(policy) };
  }
  return byPolicy(given);
}

/** The ground on which a command runs unasked: a rule allows it, or it only reads. */
export type Ground = "rule" | "looks";

/** The ground on which a command would run unasked if its programs are vetted; `undefined` when there is none. */
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
  // A command that cannot be confined does not run by itself: it needs a question, or starting it reports what is
  // missing.
  return confinable || !mayEscalate(policy) ? within : ask(given);
}

function ask({ justification }: CommandCase): CommandVerdict {
  return { kind: "ask", reason: justification, mayAmend: true };
}

function askedByRule(
  policy: Policy,
  line: string,
  { why, human }: { readonly why: string | null; readonly human: boolean },
): CommandVerdict {
  if (policy === "never") {
    return { kind: "refuse", reason: "approval required by policy, but AskForApproval is set to Never" };
  }
  if (typeof policy === "object" && !policy.granular.rules) {
    return { kind: "refuse", reason: "approval required by policy rule, but AskForApproval::Granular.rules is false" };
  }
  const needs = human ? "human approval" : "approval";
  const reason = `\`${line}\` requires ${needs}${why === null ? " by policy" : `: ${why}`}`;
  return { kind: "ask", reason, mayAmend: false, human };
}

/** True when users may be asked to let something leave the sandbox. */
export function mayEscalate(policy: AskForApproval | "on-failure"): boolean {
  return policy !== "never" && (typeof policy !== "object" || policy.granular.sandbox_approval);
}
