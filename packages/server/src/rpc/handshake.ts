import { release, type as systemName } from "node:os";
import type { InitializeParams, InitializeResponse } from "@quire/protocol";
import type { ClientFacts } from "../context/client-facts.ts";
import type { ServerContext } from "../context/server-context.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { codexVersion, quireVersion } from "../lib/version.ts";

/** Reads `initialize`. By hand: the validator is not loaded before it is needed. */
export function readInitialize(params: unknown): ClientFacts {
  if (typeof params !== "object" || params === null) throw missing("params");
  const { clientInfo, capabilities } = params as Partial<InitializeParams>;
  if (typeof clientInfo !== "object" || clientInfo === null) throw missing("clientInfo");
  for (const field of ["name", "version"] as const) if (typeof clientInfo[field] !== "string") throw missing(field);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(clientInfo.name)) {
    throw invalidRequest(`Invalid clientInfo.name: '${clientInfo.name}'. Must be a valid HTTP header value.`);
  }
  const optedOut = capabilities?.optOutNotificationMethods ?? [];
  if (!Array.isArray(optedOut)) {
    throw invalidRequest("Invalid request: params.capabilities.optOutNotificationMethods: expected a list of strings");
  }
  return {
    name: clientInfo.name,
    version: clientInfo.version,
    experimental: capabilities?.experimentalApi === true,
    attests: capabilities?.requestAttestation === true,
    hasPerson: capabilities?.requiredHumanApproval === true,
    costs: (capabilities as { readonly costs?: unknown } | null | undefined)?.costs === true,
    optedOut: new Set(optedOut),
  };
}

/** Capability of a server that sends on what its clients ask for: its requests go no further. */
export const forwardedMark = "quireForwarded";

/** True for the handshake of such a server. */
export function isForwarded(params: unknown): boolean {
  const { capabilities } = params as { readonly capabilities?: Readonly<Record<string, unknown>> | null };
  return capabilities?.[forwardedMark] === true;
}

/** The reply. The user agent begins as Codex's: clients read the version in it to know what they may call. */
export function initializeReply(
  client: ClientFacts,
  { home, compat }: Pick<ServerContext, "home" | "compat">,
): InitializeResponse {
  const arch = process.arch === "x64" ? "x86_64" : process.arch;
  const system = `${systemName()} ${release()}; ${arch}`;
  return {
    userAgent: `${client.name}/${compat?.version ?? codexVersion} (${system}) quire/${quireVersion} (${client.name}; ${client.version})`,
    codexHome: home,
    platformFamily: process.platform === "win32" ? "windows" : "unix",
    platformOs: process.platform === "darwin" ? "macos" : process.platform === "win32" ? "windows" : process.platform,
  };
}

const missing = (field: string) => invalidRequest(`Invalid request: missing field \`${field}\``);
