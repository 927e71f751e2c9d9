import type { AuthMode } from "@quire/protocol";
import type { Client } from "../context/client.ts";
import type { Log } from "../lib/log.ts";
import { AuthFile, type StoredTokens } from "./auth-file.ts";
import { authStorage } from "./auth-storage.ts";
import { readClaims } from "./claims.ts";
import { type IssuedTokens, Issuer, IssuerError } from "./issuer.ts";

/** Tokens that a client holds and renews; they are kept in memory only. */
export interface ExternalTokens {
  readonly accessToken: string;
  readonly accountId: string;
  readonly plan: string | null;
}

/** The login in use. */
export type Login =
  | { readonly mode: "apikey"; readonly token: string }
  | { readonly mode: "chatgpt"; readonly token: string; readonly tokens: StoredTokens }
  | { readonly mode: "chatgptAuthTokens"; readonly token: string; readonly external: ExternalTokens };

/** Tokens that expire sooner are renewed before use. */
const renewBeforeMs = 5 * 60 * 1000;
/** Time for a client to bring new tokens. */
const clientRefreshMs = 10_000;

/** Options of an {@link Account}. */
export interface AccountOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly connections: ReadonlySet<Client>;
  /** Returns `cli_auth_credentials_store`. Called when the login is first needed. */
  readonly credentialStore?: (() => unknown) | undefined;
}

/** The login of a server. One per server; all its threads share it. Logging in is the business of `logins.ts`. */
export class Account {
  readonly issuer: Issuer;
  readonly #options: AccountOptions;
  readonly #file: AuthFile;
  #external: { readonly tokens: ExternalTokens; readonly from: Client } | undefined;
  #renewing: Promise<void> | undefined;
  /** A refresh token that the issuer refuses: without another, the user is logged out. */
  #spent: string | undefined;

  constructor(options: AccountOptions) {
    this.#options = options;
    const { home, env, log, credentialStore } = options;
    this.#file = new AuthFile(home, (path) =>
      authStorage({ home, env, path, store: credentialStore?.(), warn: (problem, error) => log.warn(problem, error) }),
    );
    this.issuer = new Issuer(options.env);
  }

  /** `null` when logged out. */
  get login(): Login | null {
    if (this.#external) {
      const { tokens } = this.#external;
      return { mode: "chatgptAuthTokens", token: tokens.accessToken, external: tokens };
    }
    const stored = this.#file.read();
    if (stored === null) return null;
    if (stored.mode === "apikey") return { mode: "apikey", token: stored.apiKey };
    return { mode: "chatgpt", token: stored.tokens.accessToken, tokens: stored.tokens };
  }

  /** True when the login can no longer be renewed. */
  get isSpent(): boolean {
    const { login } = this;
    return login?.mode === "chatgpt" && login.tokens.refreshToken === this.#spent;
  }

  get mode(): AuthMode | null {
    return this.login?.mode ?? null;
  }

  get plan(): string | null {
    const { login } = this;
    if (login?.mode === "chatgptAuthTokens") return login.external.plan ?? readClaims(login.token)?.plan ?? null;
    return login?.mode === "chatgpt" ? (readClaims(login.tokens.idToken)?.plan ?? null) : null;
  }

  /** The ChatGPT account of requests. */
  get accountId(): string | null {
    const { login } = this;
    if (login?.mode === "chatgptAuthTokens") return login.external.accountId;
    return login?.mode === "chatgpt" ? login.tokens.accountId : null;
  }

  get headers(): Record<string, string> {
    const { accountId } = this;
    return accountId === null ? {} : { "chatgpt-account-id": accountId };
  }

  setKey(apiKey: string): void {
    this.#file.write({ mode: "apikey", apiKey }, this.issuer);
  }

  setTokens(issued: IssuedTokens): void {
    const idToken = issued.idToken ?? issued.accessToken;
    const accountId = readClaims(idToken)?.accountId ?? readClaims(issued.accessToken)?.accountId ?? null;
    const tokens = {
      idToken,
      accessToken: issued.accessToken,
      refreshToken: issued.refreshToken ?? "",
      accountId,
      issuer: this.issuer.url,
    };
    // Not joined with what was there: that may have been someone else.
    this.#file.remove();
    this.#file.write({ mode: "chatgpt", tokens }, this.issuer);
    this.#spent = undefined;
  }

  setExternal(tokens: ExternalTokens, from: Client): void {
    this.#external = { tokens, from };
  }

  /** Removes the login, and revokes it if the issuer can be reached. */
  async logout(): Promise<void> {
    const { login } = this;
    this.#external = undefined;
    this.#file.remove();
    this.#spent = undefined;
    if (login?.mode !== "chatgpt" || login.tokens.refreshToken === "") return;
    try {
      await this.issuer.revoke(login.tokens.refreshToken, login.tokens.issuer);
    } catch (error) {
      this.#options.log.warn("the login could not be revoked at its issuer; it was removed here", error);
    }
  }

  /** A token, renewed if it is about to expire; `null` when logged out. */
  async token(): Promise<string | null> {
    const { login } = this;
    if (login?.mode !== "chatgpt") return login?.token ?? null;
    const ends = readClaims(login.token)?.expiresAtMs ?? null;
    if (ends !== null && ends - Date.now() < renewBeforeMs && !this.isSpent) {
      // On failure the old token is tried: another clock may judge its expiry.
      await this.renew("expired", login.token).catch((error: unknown) =>
        this.#options.log.warn("the login could not be renewed", error),
      );
    }
    return this.login?.token ?? null;
  }

  /** Gets new tokens, once for concurrent callers, if `refused` is still in use. Rejects on failure. */
  async renew(reason: "forced" | "expired" | "unauthorized_recovery", refused?: string): Promise<void> {
    if (refused !== undefined && this.login?.token !== refused) return;
    this.#renewing ??= this.#renew(reason).finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
  }

  async #renew(reason: string): Promise<void> {
    if (this.#external) {
      // A forced refresh is not asked of a client: it sends new tokens by itself when it has some.
      if (reason === "unauthorized_recovery") await this.#askClient(this.#external);
      return;
    }
    const stored = this.#file.read();
    if (stored?.mode !== "chatgpt" || stored.tokens.refreshToken === "" || this.isSpent) return;
    const { tokens } = stored;
    try {
      const issued = await this.issuer.refresh(tokens.refreshToken, reason, tokens.issuer);
      const now = this.#file.read();
      // Logged out, or renewed by another program, while the issuer thought about it.
      if (now?.mode !== "chatgpt" || now.tokens.refreshToken !== tokens.refreshToken) return;
      const next = {
        ...tokens,
        accessToken: issued.accessToken,
        idToken: issued.idToken ?? tokens.idToken,
        refreshToken: issued.refreshToken ?? tokens.refreshToken,
      };
      this.#file.write({ mode: "chatgpt", tokens: next }, this.issuer);
    } catch (error) {
      if (error instanceof IssuerError && error.isFinal) this.#spent = tokens.refreshToken;
      throw error;
    }
  }

  async #askClient(held: { readonly tokens: ExternalTokens; readonly from: Client }): Promise<void> {
    const { connections } = this.#options;
    const client = held.from.open ? held.from : [...connections].find(({ open }) => open);
    if (client === undefined)
      throw new Error("the login has expired, and no connected client can renew it; log in again");
    const { answer } = client.ask(
      "account/chatgptAuthTokens/refresh",
      { reason: "unauthorized", previousAccountId: held.tokens.accountId },
      AbortSignal.timeout(clientRefreshMs),
    );
    let given: Awaited<typeof answer>;
    try {
      given = await answer;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      throw new Error(
        typeof code === "number"
          ? `auth refresh request failed: code=${code}`
          : "auth refresh request failed: no answer",
      );
    }
    if (
      typeof given?.accessToken !== "string" ||
      typeof given.chatgptAccountId !== "string" ||
      !readClaims(given.accessToken)
    ) {
      throw new Error("auth refresh request failed: the client's answer holds no token");
    }
    // Logged out, or given other tokens, while the client looked for new ones.
    if (this.#external?.tokens !== held.tokens) return;
    const tokens = {
      accessToken: given.accessToken,
      accountId: given.chatgptAccountId,
      plan: given.chatgptPlanType ?? null,
    };
    this.#external = { tokens, from: client };
  }
}
