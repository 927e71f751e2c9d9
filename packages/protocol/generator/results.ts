import type { WireMethod } from "./surface.ts";

// The schema does not say which response belongs to which request. Names do, with these exceptions.
const exceptions: { readonly [method: string]: string } = {
  "account/gatewayOAuth/cancel": "GatewayOAuthCancelResponse",
  "account/gatewayOAuth/login": "GatewayOAuthLoginResponse",
  "account/gatewayOAuth/read": "GatewayOAuthReadResponse",
  "account/logout": "LogoutAccountResponse",
  "account/securitySetup/read": "GetAccountSecuritySetupResponse",
  "account/workspaceMessages/read": "GetWorkspaceMessagesResponse",
  "accountSession/list": "AccountSessionsResponse",
  "config/batchWrite": "ConfigWriteResponse",
  "config/mcpServer/reload": "McpServerRefreshResponse",
  "config/value/write": "ConfigWriteResponse",
  "externalAgentConfig/import/readHistories": "ExternalAgentConfigImportHistoriesReadResponse",
};

const pascalCase = (method: string): string =>
  method
    .split(/[/_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** Names the result of every request. Throws when a request has none, or a response type belongs to no request. */
export function resultsOf(methods: readonly WireMethod[], types: ReadonlySet<string>): Map<string, string> {
  const results = new Map<string, string>();
  const unresolved: string[] = [];
  for (const { method, kind, params } of methods) {
    if (kind !== "clientRequest" && kind !== "serverRequest") continue;
    const byName = params === null ? `${pascalCase(method)}Response` : params.replace(/Params$/, "Response");
    const result = exceptions[method] ?? byName;
    if (types.has(result)) results.set(method, result);
    else unresolved.push(`${method} (tried ${result})`);
  }
  if (unresolved.length > 0) throw new Error(`no result type for ${unresolved.join(", ")}: see generator/results.ts`);
  const used = new Set(results.values());
  const unused = [...types].filter((name) => name.endsWith("Response") && !used.has(name));
  if (unused.length > 0) throw new Error(`no request gives ${unused.join(", ")}: see generator/results.ts`);
  return results;
}
