import { join } from "node:path";
import { isTable, type Table } from "../lib/table.ts";
import { ConfigError } from "./config-error.ts";
import { ConfigFiles } from "./config-files.ts";
import { resolveHome } from "./home.ts";
import { overrideTable } from "./overrides.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Codex's keys at the top level, used by this server or not: one file may serve both. */
const topKeys = words(`
  agents allow_login_shell allow_symlinked_codex_home analytics approval_policy approvals_reviewer apps
  apps_mcp_product_sku audio auto_review background_terminal_max_timeout browser_use chatgpt_base_url
  check_for_update_on_startup cli_auth_credentials_store cloud compact_prompt computer_use cost_limits daybreak default_permissions
  desktop developer_instructions disable_paste_burst experimental_compact_prompt_file experimental_instructions_file
  experimental_realtime_start_instructions experimental_realtime_webrtc_call_base_url
  experimental_realtime_ws_backend_prompt experimental_realtime_ws_base_url experimental_realtime_ws_model
  experimental_realtime_ws_startup_context experimental_thread_store experimental_thread_store_endpoint
  experimental_use_unified_exec_tool features feedback file_opener forced_chatgpt_workspace_id forced_login_method
  ghost_snapshot goals hide_agent_reasoning history hooks include_apps_instructions
  include_collaboration_mode_instructions include_environment_context include_environment_context_time
  include_permissions_instructions instructions js_repl_node_module_dirs js_repl_node_path log_dir marketplaces
  mcp_enterprise_managed_auth mcp_oauth_callback_port mcp_oauth_callback_url mcp_oauth_credentials_store
  mcp_optional_startup_grace_ms mcp_servers memories model model_auto_compact_token_limit
  model_auto_compact_token_limit_scope model_catalog_json model_context_window model_instructions_file
  model_post_turn_compact_threshold_percent model_provider model_providers model_reasoning_effort
  model_reasoning_summary model_roles model_verbosity models notice notify openai_base_url orchestrator oss_provider otel permissions
  personality plan_mode_reasoning_effort plugins profile profiles project_doc_fallback_filenames project_doc_max_bytes
  project_root_markers projects realtime responses_api_metadata review_model sandbox_mode sandbox_workspace_write
  service_tier shell_environment_policy show_raw_agent_reasoning skills sqlite_home store
  suppress_unstable_features_warning thread_unload_delay_secs tool_output_token_limit tool_suggest tools tui web_search
  windows`);

const providerKeys = words(`
  auth aws base_url dialect fallback env_http_headers env_key env_key_instructions experimental_bearer_token gateway_oauth
  hosted_tools http_headers max_output_tokens models name package query_params request_max_retries requires_openai_auth
  stream_idle_timeout_ms stream_max_retries
  supports_standalone_web_search supports_websockets websocket_connect_timeout_ms wire_api`);

const serverKeys = words(`
  args auth bearer_token_env_var command cwd default_tools_approval_mode disabled_tools enabled enabled_tools env
  env_http_headers env_vars environment_id http_headers http_headers_helper name oauth oauth_resource omit_tools_from
  required scopes startup_timeout_ms startup_timeout_sec supports_parallel_tool_calls tool_timeout_sec tools url`);

const sandboxKeys = words("exclude_slash_tmp exclude_tmpdir_env_var network_access writable_roots");
const environmentKeys = words(
  "exclude experimental_use_profile filters ignore_default_excludes include_only inherit set",
);

/** The first key that is not known, as a path; `undefined` where all are. */
export function unknownKey(values: Table): string[] | undefined {
  return unknownKeys(values)[0];
}

/** All unknown keys, as paths. */
export function unknownKeys(values: Table): string[][] {
  const within = (path: readonly string[], table: unknown, known: ReadonlySet<string>): string[][] =>
    isTable(table)
      ? Object.keys(table)
          .filter((key) => !known.has(key))
          .map((key) => [...path, key])
      : [];
  const rows = (name: string, known: ReadonlySet<string>): string[][] =>
    Object.entries(isTable(values[name]) ? values[name] : {}).flatMap(([row, table]) =>
      within([name, row], table, known),
    );
  return [
    ...within([], values, topKeys),
    ...within(["sandbox_workspace_write"], values.sandbox_workspace_write, sandboxKeys),
    ...within(["shell_environment_policy"], values.shell_environment_policy, environmentKeys),
    ...rows("model_providers", providerKeys),
    ...rows("mcp_servers", serverKeys),
    ...rows("profiles", topKeys),
    ...rows("projects", words("trust_level")),
  ];
}

/** The home and environment to check. */
export interface StrictCheck {
  readonly home?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings of `-c`: dotted paths to values. */
  readonly overrides?: Table | undefined;
}

/** Refuses unknown keys of a user's file and of `-c`. Throws a {@link ConfigError} that names the key and its place. */
export function checkStrictConfig({ home, env, overrides }: StrictCheck): void {
  const given = unknownKey(overrideTable(overrides));
  if (given) throw new ConfigError(`unknown configuration field \`${given.join(".")}\` in -c/--config override`);
  const path = join(home ?? resolveHome(env), "config.toml");
  const file = new ConfigFiles().read(path);
  const key = file && unknownKey(file.values);
  if (!file || !key) return;
  const at = lineOf(file.text, key.at(-1) ?? "");
  throw new ConfigError(`${path}:${at}: unknown configuration field \`${key.join(".")}\``);
}

function lineOf(text: string, key: string): string {
  const lines = text.split("\n");
  const row = lines.findIndex((line) => new RegExp(`(^|[\\s.[])"?${RegExp.escape(key)}"?\\s*[=.\\]]`).test(line));
  return `${row + 1}:${row < 0 ? 1 : (lines[row] ?? "").indexOf(key) + 1}`;
}
