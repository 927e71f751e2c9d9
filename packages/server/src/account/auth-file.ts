import { join } from "node:path";
import { type AuthStorage, FileStorage } from "./auth-storage.ts";
import { fields, text } from "./claims.ts";

/** Tokens of a ChatGPT login. */
export interface StoredTokens {
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accountId: string | null;
  /** The issuer of the tokens, which renews them; `null` when the file does not say. */
  readonly issuer: string | null;
}

/** A login as it is stored. */
export type StoredLogin =
  | { readonly mode: "apikey"; readonly apiKey: string }
  | { readonly mode: "chatgpt"; readonly tokens: StoredTokens };

/**
 * `auth.json` in the home, in Codex's format, so that both can share one home. Only the owner can read it. Read again
 * when changed: another program may have logged in or out. The text may also be kept elsewhere.
 */
export class AuthFile {
  readonly #choose: (path: string) => AuthStorage;
  readonly #path: string;
  #chosen: AuthStorage | undefined;
  #seen: { readonly stamp: string; readonly login: StoredLogin | null } | undefined;

  /** @param choose Picks the storage when it is first needed. */
  constructor(home: string, choose: (path: string) => AuthStorage = (path) => new FileStorage(path)) {
    this.#path = join(home, "auth.json");
    this.#choose = choose;
  }

  /** `null` when there is no usable login. */
  read(): StoredLogin | null {
    const stamp = this.#place.stamp();
    if (stamp === null) return null;
    if (this.#seen?.stamp !== stamp) this.#seen = { stamp, login: parse(this.#raw()) };
    return this.#seen.login;
  }

  /** Replaces the login. Unknown fields of an earlier login of the same kind are kept. */
  write(login: StoredLogin, client: { readonly clientId: string }): void {
    const before = fields(this.#raw());
    const content =
      login.mode === "apikey" ? keyContent(login.apiKey) : tokenContent(login.tokens, client.clientId, before);
    try {
      this.#place.write(JSON.stringify(content, null, 2));
    } finally {
      this.#seen = undefined;
    }
  }

  remove(): void {
    this.#place.remove();
    this.#seen = undefined;
  }

  get #place(): AuthStorage {
    this.#chosen ??= this.#choose(this.#path);
    return this.#chosen;
  }

  #raw(): unknown {
    try {
      return JSON.parse(this.#place.read() ?? "null");
    } catch {
      // Missing or not JSON: logged out; the next login replaces it.
      return null;
    }
  }
}

function parse(raw: unknown): StoredLogin | null {
  const { auth_mode: mode, OPENAI_API_KEY: key, tokens } = fields(raw);
  const apiKey = text(key);
  // Files of old versions do not name the mode; there a key wins.
  const isKey = mode === "apikey" || (mode === undefined && apiKey !== null);
  if (isKey) return apiKey === null ? null : { mode: "apikey", apiKey };
  if (mode !== undefined && mode !== "chatgpt") return null;
  const given = fields(tokens);
  const accessToken = text(given.access_token);
  if (accessToken === null) return null;
  return {
    mode: "chatgpt",
    tokens: {
      accessToken,
      idToken: text(given.id_token) ?? accessToken,
      refreshToken: text(given.refresh_token) ?? "",
      accountId: text(given.account_id),
      issuer: text(fields(given.oauth_provenance).issuer),
    },
  };
}

function keyContent(apiKey: string): object {
  return { auth_mode: "apikey", OPENAI_API_KEY: apiKey };
}

function tokenContent(tokens: StoredTokens, clientId: string, before: Readonly<Record<string, unknown>>): object {
  const earlier = before.auth_mode === "chatgpt" ? before : {};
  const earlierTokens = fields(earlier.tokens);
  return {
    ...earlier,
    auth_mode: "chatgpt",
    OPENAI_API_KEY: earlier.OPENAI_API_KEY ?? null,
    tokens: {
      ...earlierTokens,
      id_token: tokens.idToken,
      access_token: tokens.accessToken,
      refresh_token: tokens.refreshToken,
      ...(tokens.issuer !== null && { oauth_provenance: { issuer: tokens.issuer, client_id: clientId } }),
      // Codex distinguishes logins by it.
      login_owner_id:
        earlierTokens.login_owner_id ??
        crypto.getRandomValues(new Uint8Array(32)).toBase64({ alphabet: "base64url", omitPadding: true }),
      account_id: tokens.accountId,
    },
    last_refresh: new Date().toISOString(),
  };
}
