import { join } from "node:path";
import { readRows, writePrivate } from "../lib/private-file.ts";
import { isTable, ownValue } from "../lib/table.ts";

/** A login at an MCP server. */
export interface McpLogin {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly issuer: string | null;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAtMs: number | null;
  readonly scopes: readonly string[];
}

/** Logins at MCP servers: `.credentials.json` in the home, with Codex's names, for its owner alone. */
export class CredentialsFile {
  readonly #path: string;

  constructor(home: string) {
    this.#path = join(home, ".credentials.json");
  }

  /** `undefined` when there is none. */
  read(name: string, url: string): McpLogin | undefined {
    const row = ownValue(readRows(this.#path), key(name, url));
    if (!isTable(row) || typeof row.access_token !== "string" || typeof row.client_id !== "string") return undefined;
    return {
      clientId: row.client_id,
      clientSecret: text(row.client_secret),
      issuer: text(row.issuer),
      accessToken: row.access_token,
      refreshToken: text(row.refresh_token),
      expiresAtMs: typeof row.expires_at === "number" ? row.expires_at : null,
      scopes: Array.isArray(row.scopes) ? row.scopes.filter((scope) => typeof scope === "string") : [],
    };
  }

  write(name: string, url: string, login: McpLogin): void {
    const row = {
      server_name: name,
      server_url: url,
      ...(login.issuer !== null && { issuer: login.issuer }),
      client_id: login.clientId,
      ...(login.clientSecret !== null && { client_secret: login.clientSecret }),
      access_token: login.accessToken,
      expires_at: login.expiresAtMs,
      refresh_token: login.refreshToken,
      scopes: login.scopes,
    };
    writePrivate(this.#path, JSON.stringify({ ...readRows(this.#path), [key(name, url)]: row }));
  }

  /** Forgets a login. False when there is none. */
  remove(name: string, url: string): boolean {
    const { [key(name, url)]: gone, ...rest } = readRows(this.#path);
    if (gone === undefined) return false;
    writePrivate(this.#path, JSON.stringify(rest));
    return true;
  }
}

/** True if a login gives access: its token has not ended, or can be renewed. */
export function isUsable({ expiresAtMs, refreshToken }: McpLogin): boolean {
  return refreshToken !== null || expiresAtMs === null || expiresAtMs > Date.now();
}

/** Forgets the login at an MCP server in a home. False when there is none. */
export function forgetLogin(home: string, name: string, url: string): boolean {
  return new CredentialsFile(home).remove(name, url);
}

/** The same name at another address is another server. */
function key(name: string, url: string): string {
  const identity = JSON.stringify({ type: "http", url, headers: {} });
  return `${name}|${new Bun.CryptoHasher("sha256").update(identity).digest("hex").slice(0, 16)}`;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
