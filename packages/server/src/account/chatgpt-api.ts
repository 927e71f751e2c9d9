import type { CreditsSnapshot, PlanType, RateLimitSnapshot, RateLimitWindow, WorkspaceRouting } from "@quire/protocol";
import { readBounded } from "../lib/read-bounded.ts";
import type { Account } from "./account.ts";
import { fields, planType, text } from "./claims.ts";

const defaultBaseUrl = "https://chatgpt.com/backend-api";
const timeoutMs = 15_000;

function parsed(answer: string, asked: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw new Error(`${asked}: the answer is no JSON`);
  }
}

/** The address that a config names. */
export function chatgptUrl(raw: Readonly<Record<string, unknown>>): string {
  return (text(raw.chatgpt_base_url) ?? defaultBaseUrl).replace(/\/+$/, "");
}

/** ChatGPT's facts about an account. */
export interface Workspace {
  readonly name: string | null;
  readonly routing: WorkspaceRouting | null;
}

/** ChatGPT, asked on behalf of the account. */
export class ChatgptApi {
  readonly #account: Account;
  #workspace: { readonly token: string; readonly found: Promise<Workspace | null> } | undefined;

  constructor(account: Account) {
    this.#account = account;
  }

  /** Rejects with a message that names the request and its status, and holds no secret. */
  async request(base: string, path: string, body?: object): Promise<unknown> {
    const url = `${base}${base.includes("/backend-api") ? "/wham" : "/api/codex"}${path}`;
    const method = body === undefined ? "GET" : "POST";
    const token = await this.#account.token();
    const response = await fetch(url, {
      method,
      headers: {
        ...this.#account.headers,
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = await readBounded(response);
    if (response.ok) return parsed(answer, `${method} ${url}`);
    const type = response.headers.get("content-type") ?? "";
    throw new Error(
      `${method} ${url} failed: ${response.status} ${response.statusText}; content-type=${type}; body=${answer.slice(0, 1000)}`,
    );
  }

  /** The account's workspace, fetched once per token; `null` when it is unknown. */
  workspace(base: string): Promise<Workspace | null> {
    const { login, accountId } = this.#account;
    if (login === null || login.mode === "apikey" || accountId === null) return Promise.resolve(null);
    if (this.#workspace?.token !== login.token) {
      const found = this.request(base, "/accounts/check").then(
        (answer) => workspaceOf(answer, accountId),
        () => null,
      );
      this.#workspace = { token: login.token, found };
    }
    return this.#workspace.found;
  }
}

function workspaceOf(answer: unknown, accountId: string): Workspace | null {
  const { accounts } = fields(answer);
  const own = Array.isArray(accounts) ? accounts.map(fields).find(({ id }) => id === accountId) : undefined;
  if (own === undefined) return null;
  const origin = text(own.workspace_backend_origin);
  const override = (["NO_CONSTRAINT", "us", "us_cr"] as const).find((known) => known === own.account_routing_override);
  if (origin === null || override === undefined) return { name: text(own.name), routing: null };
  return {
    name: text(own.name),
    routing: { chatgptAccountId: accountId, backendOrigin: origin, accountRoutingOverride: override },
  };
}

/** The limits in an answer to `/usage`, the main one first. */
export function limitsOf(answer: unknown): RateLimitSnapshot[] {
  const given = fields(answer);
  const plan = text(given.plan_type) === null ? null : planType(given.plan_type);
  const further = Array.isArray(given.additional_rate_limits) ? given.additional_rate_limits.map(fields) : [];
  return [
    snapshot({ id: "codex", name: null, plan, limit: given.rate_limit, credits: given.credits }),
    ...further.map((each) =>
      snapshot({
        id: text(each.metered_feature) ?? "unknown",
        name: text(each.limit_name),
        plan,
        limit: each.rate_limit,
        credits: null,
      }),
    ),
  ];
}

interface Limit {
  readonly id: string;
  readonly name: string | null;
  readonly plan: PlanType | null;
  readonly limit: unknown;
  readonly credits: unknown;
}

function snapshot({ id, name, plan, limit, credits }: Limit): RateLimitSnapshot {
  const { primary_window: primary, secondary_window: secondary } = fields(limit);
  return {
    limitId: id,
    limitName: name,
    normalModelSlug: null,
    primary: window(primary),
    secondary: window(secondary),
    credits: creditsOf(credits),
    individualLimit: null,
    spendControlReached: null,
    planType: plan,
    rateLimitReachedType: null,
  };
}

function window(given: unknown): RateLimitWindow | null {
  const { used_percent: used, limit_window_seconds: length, reset_at: resetsAt } = fields(given);
  if (typeof used !== "number") return null;
  return {
    usedPercent: Math.round(used),
    windowDurationMins: typeof length === "number" && length > 0 ? Math.ceil(length / 60) : null,
    resetsAt: typeof resetsAt === "number" ? resetsAt : null,
  };
}

function creditsOf(given: unknown): CreditsSnapshot | null {
  const { has_credits: hasCredits, unlimited, balance } = fields(given);
  if (typeof hasCredits !== "boolean" || typeof unlimited !== "boolean") return null;
  return { hasCredits, unlimited, balance: text(balance) };
}
