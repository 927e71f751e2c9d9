import type { McpAuthStatus } from "@quire/protocol";
import { hasToken, readServers } from "../config/mcp-config.ts";
import { CredentialsFile, isUsable } from "./credentials-file.ts";
import type { LoginOffer } from "./oauth-discovery.ts";

/** Time that a server has to say whether it offers a login. */
const limitMs = 5000;

/** The home that keeps logins, and the variables that can hold tokens. */
export interface LoginContext {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Says whether a server of the configuration needs a login, without starting it: asks those on the network. */
export async function mcpLoginStatus(
  name: string,
  row: Readonly<Record<string, unknown>>,
  { home, env }: LoginContext,
): Promise<McpAuthStatus> {
  const [config] = readServers({ mcp_servers: { [name]: row } });
  if (config === undefined || !config.enabled || row.url === undefined) return "unsupported";
  if (config.transport.type !== "http") return "unknown";
  if (hasToken(config, env)) return "bearerToken";
  const { url } = config.transport;
  const login = new CredentialsFile(home).read(name, url);
  if (login && isUsable(login)) return "oAuth";
  const { offered } = await mcpLoginOffer(url);
  return offered === "yes" ? "notLoggedIn" : offered === "no" ? "unsupported" : "unknown";
}

/** Asks a server whether it offers a login. */
export async function mcpLoginOffer(url: string): Promise<LoginOffer> {
  if (!URL.canParse(url)) return { offered: "unknown" };
  const { discoverLogin } = await import("./oauth-discovery.ts");
  return await discoverLogin(url, AbortSignal.timeout(limitMs));
}
