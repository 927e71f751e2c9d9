import type { AccountUpdatedNotification, RateLimitSnapshot } from "@quire/protocol";
import { type Call, caller } from "../calls/call.ts";
import type { CallOptions, ServerPort } from "../port/server-port.ts";
import type { LoginFor, LoginRequest } from "./login.ts";

/** Logins and limits. */
export interface AccountApi {
  /** Reads the logged-in account. */
  readonly read: Call<"account/read">;
  /**
   * Starts a login.
   *
   * ```ts
   * const login = await codex.account.login("chatgptDeviceCode");
   * console.log(`Open ${login.url} and enter ${login.userCode}`);
   * await login.completed;
   * ```
   */
  login<const R extends LoginRequest>(request: R, options?: CallOptions): Promise<LoginFor<R>>;
  /** Logs out. */
  readonly logout: Call<"account/logout">;
  /** Reads how much of the limits is used. */
  readonly rateLimits: Call<"account/rateLimits/read">;
  /** Reads how many tokens were used. */
  readonly usage: Call<"account/usage/read">;
  /** Listens to changes of the limits, which come after each answer of the model; the returned function stops that. */
  onRateLimits(listener: (rateLimits: RateLimitSnapshot) => void): () => void;
  /** Listens to logins and logouts, by whomever; the returned function stops that. */
  onUpdated(listener: (params: AccountUpdatedNotification) => void): () => void;
}

/** The `account` group of a server. */
export function accountOf(port: ServerPort): AccountApi {
  const { call, bare } = caller(port);
  return {
    read: call("account/read"),
    login: async (request, options) => {
      const { login } = await import("./login.ts");
      return login(port, request, options);
    },
    logout: bare("account/logout"),
    rateLimits: bare("account/rateLimits/read"),
    usage: bare("account/usage/read"),
    onRateLimits: (listener) =>
      port.onNotification("account/rateLimits/updated", (params) => listener(params.rateLimits)),
    onUpdated: (listener) => port.onNotification("account/updated", listener),
  };
}
