import { reference } from "../trackers/records/settings.ts";
import type { Settings } from "./settings.ts";
import { WorkflowError } from "./workflow-error.ts";

/** The secret by which a tracker's webhooks are known. */
export interface WebhookConfig {
  readonly secret: string;
  /** Variable that holds it. */
  readonly secretEnvName: string;
}

/** Fewest characters of a secret: whoever knows an answer could else find it by trying. */
const minLength = 16;

/** Reads `server.webhook_secret`; null where the workflow has none. */
export function parseWebhook(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): WebhookConfig | null {
  const written = settings.text("webhook_secret");
  if (written === undefined) return null;
  const secretEnvName = reference(written);
  if (secretEnvName === null) throw invalid("must name a variable, such as $WEBHOOK_SECRET: agents can read this file");
  const secret = env[secretEnvName]?.trim() ?? "";
  if (secret.length < minLength) {
    throw invalid(`is ${written}, which needs at least ${minLength} characters: openssl rand -hex 24`);
  }
  return { secret, secretEnvName };
}

const invalid = (problem: string) => new WorkflowError("invalid_workflow_config", `server.webhook_secret ${problem}`);
