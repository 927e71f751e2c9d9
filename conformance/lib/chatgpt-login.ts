import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Stage } from "./stage.ts";

/** Settings with which the scripted model is asked with the login, and ChatGPT, where nobody is, for everything else. */
export const wantsLogin = {
  "model_providers.mock.requires_openai_auth": true,
  chatgpt_base_url: "http://127.0.0.1:9/backend-api",
} as const;

/** Leaves a login in the home as ChatGPT would have given it, but for signatures. Before a server is started. */
export function logIn({ home }: Stage): void {
  const auth = { chatgpt_account_id: "account-1", chatgpt_plan_type: "plus" };
  const claims = { email: "ada@example.com", exp: 4_000_000_000, "https://api.openai.com/auth": auth };
  const token = [{ alg: "none" }, claims, "signature"]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const tokens = { id_token: token, access_token: token, refresh_token: "refresh", account_id: "account-1" };
  const content = { auth_mode: "chatgpt", OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() };
  writeFileSync(join(home, "auth.json"), JSON.stringify(content));
}
