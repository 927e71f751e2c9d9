import type { PlanType } from "@quire/protocol";

/** The claims of a ChatGPT token. */
export interface Claims {
  readonly email: string | null;
  readonly plan: string | null;
  readonly accountId: string | null;
  readonly userId: string | null;
  /** `null` when the token does not say. */
  readonly expiresAtMs: number | null;
}

/** Reads a token's claims; `undefined` for no token. Not verified: they are only shown. */
export function readClaims(token: string): Claims | undefined {
  const parts = token.split(".");
  const [, payload] = parts;
  if (parts.length !== 3 || !payload) return undefined;
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
  if (!isObject(claims)) return undefined;
  const auth = fields(claims["https://api.openai.com/auth"]);
  return {
    email: text(claims.email) ?? text(fields(claims["https://api.openai.com/profile"]).email),
    plan: text(auth.chatgpt_plan_type),
    accountId: text(auth.chatgpt_account_id),
    userId: text(auth.chatgpt_user_id) ?? text(auth.user_id),
    expiresAtMs: typeof claims.exp === "number" ? claims.exp * 1000 : null,
  };
}

const plans: readonly PlanType[] = [
  "free",
  "go",
  "plus",
  "pro",
  "prolite",
  "promax",
  "team",
  "self_serve_business_prolite",
  "self_serve_business_usage_based",
  "business",
  "ent26",
  "enterprise_cbp_automation",
  "enterprise_cbp_usage_based",
  "enterprise",
  "edu",
  "edu_plus",
  "edu_pro",
  "sci",
  "sci_plus",
];

/** A plan as the protocol names it. */
export function planType(plan: unknown): PlanType {
  return plans.find((known) => known === (typeof plan === "string" ? plan.toLowerCase() : undefined)) ?? "unknown";
}

/** The fields of an object; none of anything else. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** A text that is not empty. */
export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
