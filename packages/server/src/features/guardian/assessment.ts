import type { GuardianRiskLevel, GuardianUserAuthorization } from "@quire/protocol";

const risks = ["low", "medium", "high", "critical"] as const satisfies readonly GuardianRiskLevel[];
const authorizations = ["unknown", "low", "medium", "high"] as const satisfies readonly GuardianUserAuthorization[];

/** A reviewer's assessment of an action. */
export interface Assessment {
  readonly allowed: boolean;
  readonly risk: GuardianRiskLevel;
  readonly authorization: GuardianUserAuthorization;
  readonly rationale: string;
}

/** The form in which a reviewer has to answer. */
export const assessmentSchema: object = {
  type: "object",
  properties: {
    risk_level: { type: "string", enum: risks },
    user_authorization: { type: "string", enum: authorizations },
    outcome: { type: "string", enum: ["allow", "deny"] },
    rationale: { type: "string" },
  },
  required: ["outcome"],
  additionalProperties: false,
};

const maxRationale = 2000;

/** Parses an assessment; `undefined` for anything else. Missing fields count as the worst that the outcome allows. */
export function readAssessment(text: string): Assessment | undefined {
  const { outcome, risk_level, user_authorization, rationale } = parse(text) ?? {};
  if (outcome !== "allow" && outcome !== "deny") return undefined;
  const allowed = outcome === "allow";
  const given = typeof rationale === "string" ? rationale.trim().slice(0, maxRationale) : "";
  return {
    allowed,
    risk: risks.find((risk) => risk === risk_level) ?? (allowed ? "low" : "high"),
    authorization: authorizations.find((level) => level === user_authorization) ?? "unknown",
    rationale: given || `The reviewer ${allowed ? "allowed" : "denied"} it without giving a reason.`,
  };
}

/** Models add words or fences around JSON. */
function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  const inner = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text, inner]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
    } catch {
      // Tries the next.
    }
  }
  return undefined;
}
