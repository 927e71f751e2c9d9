import type { CommandExecutionApprovalDecision } from "@quire/protocol";
import { errorMessage } from "../lib/error-message.ts";
import { isLocalName } from "../run/sandbox/network/addresses.ts";
import type { Passage, Verdict } from "../run/sandbox/network/proxy.ts";
import { askGuardian, askUser, holdForUser } from "./ask.ts";
import { mayEscalate } from "./judge-command.ts";
import { hostMatches, type NetworkSettings } from "./network-settings.ts";
import type { ToolContext } from "./tool-context.ts";

/** Decides, for one command, which hosts it reaches. Each is asked about once by port and protocol. */
export class NetworkGate {
  readonly #settings: NetworkSettings;
  readonly #context: ToolContext;
  readonly #asked = new Map<string, Promise<string | undefined>>();
  readonly #open = new Set<Promise<unknown>>();
  readonly #remarked = new Set<string>();

  constructor(settings: NetworkSettings, context: ToolContext) {
    this.#settings = settings;
    this.#context = context;
  }

  /** Settles when all pending questions are answered; `undefined` when there are none. */
  deciding(): Promise<unknown> | undefined {
    return this.#open.size === 0 ? undefined : Promise.allSettled(this.#open);
  }

  /** Decides if a host may be reached, and if it may be local. Never rejects. */
  async decide(passage: Passage): Promise<Verdict> {
    const { local } = this.#settings;
    const why = await this.#judge(passage);
    if (why === undefined) return { local, denies: (address) => this.#isDenied(address) };
    const refusal = `Network access to ${JSON.stringify(passage.host)} was blocked: ${why}.`;
    // A program may swallow what it is answered.
    if (!this.#remarked.has(passage.host)) this.#context.remark(refusal);
    this.#remarked.add(passage.host);
    return { refusal, local };
  }

  /** The reason why a host must not be reached. */
  async #judge(passage: Passage): Promise<string | undefined> {
    const { host } = passage;
    const { approvals, settings, isOver } = this.#context;
    if (this.#isDenied(host)) return "a rule denies it";
    if (isLocalName(host) && !this.#settings.local) return "it is a local or private address";
    const isAllowed = isIn([...this.#settings.allowed, ...this.#named("allow")], host);
    if (isAllowed || approvals.grants.isApproved(keyOf(passage))) return undefined;
    if (!mayEscalate(settings.approvalPolicy)) return "no rule allows it, and nobody may be asked";
    if (isOver?.()) return "no rule allows it, and the turn that started the command is over";
    const known = this.#asked.get(keyOf(passage));
    if (known) return known;
    const asking = this.#ask(passage);
    this.#asked.set(keyOf(passage), asking);
    this.#open.add(asking);
    return asking.finally(() => this.#open.delete(asking));
  }

  #isDenied(host: string): boolean {
    return isIn([...this.#settings.denied, ...this.#named("deny")], host);
  }

  /** Hosts of rules with this decision. */
  #named(decision: "allow" | "deny"): string[] {
    const rules = this.#context.approvals.rules.hosts();
    return rules.filter((rule) => rule.decision === decision).map((rule) => rule.host);
  }

  async #ask(passage: Passage): Promise<string | undefined> {
    const { host, port, protocol } = passage;
    const context = this.#context;
    const itemId = `network#local#${protocol}#${host}#${port}#${crypto.randomUUID()}`;
    const target = `${protocol === "socks5Tcp" ? "socks5" : protocol}://${host}:${port}`;
    const shown = { type: "networkAccess", host, port, protocol, target } as const;
    const review = await askGuardian(context, () => ({ itemId, shown, planned: { tool: "network_access", target } }));
    if (review) {
      if (review.approved) return undefined;
      review.afterwards();
      return review.reason;
    }
    const amendments = (["allow", "deny"] as const).map((action) => ({ host, action }));
    const [allow] = amendments;
    const release = holdForUser(context);
    const answer = await askUser(context, "item/commandExecution/requestApproval", {
      kind: "command",
      itemId,
      startedAtMs: Date.now(),
      environmentId: "local",
      reason: `Network access to ${host}, port ${port}, requires approval`,
      networkApprovalContext: { host, protocol },
      proposedNetworkPolicyAmendments: amendments,
      availableDecisions: [
        "accept",
        "acceptForSession",
        ...(allow ? [{ applyNetworkPolicyAmendment: { network_policy_amendment: allow } }] : []),
        "cancel",
      ],
    });
    release();
    return this.#take(answer.kind === "answer" ? answer.result?.decision : undefined, passage);
  }

  /** Remembers a decision. Returns the reason why the host must not be reached. */
  #take(decision: CommandExecutionApprovalDecision | undefined, passage: Passage): string | undefined {
    const { approvals, interrupt } = this.#context;
    if (typeof decision === "object" && decision !== null && "applyNetworkPolicyAmendment" in decision) {
      const { host, action } = decision.applyNetworkPolicyAmendment?.network_policy_amendment ?? {};
      // Only what was proposed: a rule for another host was not shown to anybody.
      if (host !== passage.host || (action !== "allow" && action !== "deny")) return "the question was not answered";
      return this.#amend(host, action, passage.protocol);
    }
    switch (decision) {
      case "accept":
        return undefined;
      case "acceptForSession":
        approvals.grants.approve([keyOf(passage)]);
        return undefined;
      case "cancel":
        interrupt("the user cancelled access to the network");
        return "the user has cancelled";
      case "decline":
        return "the user has declined";
      default:
        return "the question was not answered";
    }
  }

  #amend(host: string, action: "allow" | "deny", protocol: Passage["protocol"]): string | undefined {
    const { approvals, remark } = this.#context;
    try {
      approvals.rules.setHost(host, action, protocol === "socks5Tcp" ? "socks5_tcp" : protocol);
      remark(`From now on, network access to ${host} is ${action === "allow" ? "allowed" : "denied"}.`);
    } catch (error) {
      approvals.options.warn(`the rule could not be stored: ${errorMessage(error)}`);
    }
    return action === "allow" ? undefined : "the user has denied it";
  }
}

function isIn(patterns: readonly string[], host: string): boolean {
  return patterns.some((pattern) => hostMatches(pattern, host));
}

/** The key of an approval: SSH is different from the web on the same host. */
function keyOf({ host, port, protocol }: Passage): string {
  return JSON.stringify(["host", host, port, protocol]);
}
