import type { LoginAccountParams, LoginAccountResponse } from "@quire/protocol";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { RequestScope } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError, invalidRequest } from "../lib/rpc-errors.ts";
import type { Account } from "./account.ts";
import { ChatgptApi, chatgptUrl } from "./chatgpt-api.ts";
import { planType, readClaims, text } from "./claims.ts";
import type { IssuedTokens } from "./issuer.ts";
import { LoginFailure, type PendingLogin } from "./pending-login.ts";

/** Logging in. At most one login waits for a user; a new one takes the place of an older. */
export class Logins {
  readonly account: Account;
  readonly backend: ChatgptApi;
  readonly #server: ServerContext;
  #pending: PendingLogin | undefined;

  constructor(server: ServerContext, account: Account) {
    this.account = account;
    this.backend = new ChatgptApi(account);
    this.#server = server;
  }

  async start(
    params: LoginAccountParams,
    { connection }: RequestScope,
    config: EffectiveConfig,
  ): Promise<LoginAccountResponse> {
    this.#checkAllowed(params, config);
    switch (params.type) {
      case "apiKey":
        this.cancelPending("Login was not completed");
        this.#setKey(params.apiKey);
        this.#notifyLater(null);
        return { type: "apiKey" };
      case "chatgptAuthTokens": {
        if (!readClaims(params.accessToken))
          throw internalError("failed to set external auth: invalid ID token format");
        this.cancelPending("Login was not completed");
        const { accessToken, chatgptAccountId: accountId, chatgptPlanType } = params;
        this.account.setExternal({ accessToken, accountId, plan: chatgptPlanType ?? null }, connection);
        await this.backend.workspace(chatgptUrl(config.raw));
        this.#notifyLater(null);
        return { type: "chatgptAuthTokens" };
      }
      case "chatgpt": {
        this.cancelPending("Login cancelled");
        const { browserLogin } = await import("./browser-login.ts");
        const workspaceId = text(config.raw.forced_chatgpt_workspace_id);
        const originator = connection.facts?.name ?? "quire";
        const login = await browserLogin({ issuer: this.account.issuer, originator, workspaceId });
        this.#await(login, config);
        return { type: "chatgpt", loginId: login.id, authUrl: login.authUrl };
      }
      case "chatgptDeviceCode": {
        this.cancelPending("Login cancelled");
        const { deviceLogin } = await import("./device-login.ts");
        const login = await deviceLogin(this.account.issuer);
        this.#await(login, config);
        return {
          type: "chatgptDeviceCode",
          loginId: login.id,
          verificationUrl: login.verificationUrl,
          userCode: login.userCode,
        };
      }
      default:
        throw invalidRequest(
          `logins of type ${params.type} are not supported; set the provider's key in its env_key variable`,
        );
    }
  }

  /** False when no such login is pending. */
  cancel(loginId: string): boolean {
    if (this.#pending?.id !== loginId) return false;
    this.cancelPending("Login was not completed");
    return true;
  }

  cancelPending(why: string): void {
    const pending = this.#pending;
    this.#pending = undefined;
    // After the reply, so that its client does not hear of the end first.
    if (pending) setImmediate(() => pending.cancel(why));
  }

  /** Notifies all clients of the current login. */
  notifyUpdated(): void {
    const { mode, plan } = this.account;
    this.#server.broadcast("account/updated", { authMode: mode, planType: plan === null ? null : planType(plan) });
  }

  #await(login: PendingLogin, config: EffectiveConfig): void {
    this.#pending = login;
    void login.done
      .then((issued) => this.#finish(issued, config))
      .then(
        () => ({ success: true, error: null }),
        (error: unknown) => ({ success: false, error: errorMessage(error) }),
      )
      .then(({ success, error }) => {
        if (this.#pending === login) this.#pending = undefined;
        this.#tell(login.id, success, error);
        if (success) this.notifyUpdated();
      });
  }

  async #finish(issued: IssuedTokens, { raw }: EffectiveConfig): Promise<void> {
    const required = text(raw.forced_chatgpt_workspace_id);
    const chosen = readClaims(issued.idToken ?? issued.accessToken)?.accountId ?? null;
    if (required !== null && chosen !== required) {
      throw new LoginFailure(`Login is restricted to workspace id ${required}. Log in again and choose it.`);
    }
    this.account.setTokens(issued);
    await this.backend.workspace(chatgptUrl(raw));
  }

  #setKey(apiKey: string): void {
    try {
      this.account.setKey(apiKey);
    } catch (error) {
      throw internalError(`failed to save api key: ${errorMessage(error)}`);
    }
  }

  #notifyLater(loginId: string | null): void {
    setImmediate(() => {
      this.#tell(loginId, true, null);
      this.notifyUpdated();
    });
  }

  #tell(loginId: string | null, success: boolean, error: string | null): void {
    this.#server.broadcast("account/login/completed", { loginId, success, error, onboardingEntrypoint: null });
  }

  #checkAllowed({ type }: LoginAccountParams, { raw }: EffectiveConfig): void {
    if (type !== "chatgptAuthTokens" && this.account.mode === "chatgptAuthTokens") {
      throw invalidRequest(
        "External auth is active. Use account/login/start (chatgptAuthTokens) to update it or account/logout to clear it.",
      );
    }
    if (raw.forced_login_method === "chatgpt" && type === "apiKey") {
      throw invalidRequest("API key login is disabled. Use ChatGPT login instead.");
    }
    if (raw.forced_login_method === "api" && type.startsWith("chatgpt")) {
      throw invalidRequest("ChatGPT login is disabled. Use API key login instead.");
    }
  }
}
