import type { Config } from "@quire/protocol";
import { isTable, type Table } from "../lib/table.ts";

/** Keys that every `config/read` response has. */
const shown = [
  "model",
  "review_model",
  "model_context_window",
  "model_auto_compact_token_limit",
  "model_auto_compact_token_limit_scope",
  "model_provider",
  "approval_policy",
  "approvals_reviewer",
  "sandbox_mode",
  "sandbox_workspace_write",
  "forced_chatgpt_workspace_id",
  "forced_login_method",
  "web_search",
  "tools",
  "instructions",
  "developer_instructions",
  "compact_prompt",
  "model_reasoning_effort",
  "model_reasoning_summary",
  "model_verbosity",
  "service_tier",
  "analytics",
  "apps",
  "browser_use",
  "computer_use",
  "desktop",
] as const;

/** A config for `config/read`: the values read, and `null` for known keys that are unset. */
export function toWireConfig(raw: Table): Config {
  const config: Record<string, unknown> = {};
  for (const key of shown) config[key] = null;
  if (!isTable(raw.tools)) return { ...config, client_search_provider: null, ...raw };
  // A setting of the tools, and a field of its own on the wire.
  const { client_search_provider = null, ...tools } = raw.tools;
  return { ...config, ...raw, tools, client_search_provider } as Config;
}
