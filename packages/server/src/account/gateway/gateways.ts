import type { GatewayOAuthReadResponse, GatewayOAuthStatus } from "@quire/protocol";
import type { ProviderConfig } from "../../config/effective-config.ts";
import type { GatewayOAuth } from "../../config/provider/gateway-oauth.ts";
import type { Client } from "../../context/client.ts";
import type { ServerContext } from "../../context/server-context.ts";
import { service } from "../../context/services.ts";
import { internalError, invalidRequest } from "../../lib/rpc-errors.ts";
import { GatewayFile } from "./gateway-file.ts";
import { beginSignIn, type GatewaySignIn, SignInCanceled } from "./gateway-sign-in.ts";
import { type GatewayTokens, refreshTokens } from "./gateway-tokens.ts";

/** Tokens that expire sooner are renewed before use. */
const renewBeforeMs = 60_000;

const failure = "Gateway sign-in failed; check the gateway configuration and credential store.";

interface State {
  readonly status: GatewayOAuthStatus;
  readonly error: string | null;
}

/** Signing in at the gateways of model providers. One per server; at most one sign-in waits for a user. */
export class Gateways {
  readonly #server: ServerContext;
  readonly #file: GatewayFile;
  /** The last states sent to clients, by provider. */
  readonly #states = new Map<string, State>();
  readonly #renewing = new Map<string, Promise<GatewayTokens>>();
  #pending: { readonly signIn: GatewaySignIn; readonly by: Client } | undefined;

  constructor(server: ServerContext) {
    this.#server = server;
    this.#file = new GatewayFile(server.home);
  }

  /** The state of a provider's gateway. Notifies clients when it has changed. */
  read({ id, name, gatewayOauth }: ProviderConfig): GatewayOAuthReadResponse {
    if (!gatewayOauth) return { providerId: id, providerName: name, required: false, status: null, error: null };
    const state = this.#states.get(id) ?? this.#stored(gatewayOauth);
    if (!this.#states.has(id)) setImmediate(() => this.#report(id, state));
    return { providerId: id, providerName: name, required: true, ...state };
  }

  /** Signs in; resolves when the user is done. The requesting client gets the address for the user. */
  async login({ id, gatewayOauth }: ProviderConfig, by: Client): Promise<void> {
    if (!gatewayOauth) throw invalidRequest("The selected provider does not use gateway OAuth");
    if (by.facts?.optedOut.has("account/gatewayOAuth/changed"))
      throw invalidRequest("Gateway login requires account/gatewayOAuth/changed notifications");
    if (this.#pending) throw invalidRequest("Gateway sign-in is already in progress");
    const stop = by.onEnd(() => this.#pending?.signIn.cancel());
    try {
      const signIn = beginSignIn(gatewayOauth);
      this.#pending = { signIn, by };
      by.notify("account/gatewayOAuth/changed", {
        authUrl: signIn.authUrl,
        providerId: id,
        status: "started",
        error: null,
      });
      this.#report(id, { status: "started", error: null });
      this.#file.write(gatewayOauth, await signIn.done);
      this.#report(id, { status: "succeeded", error: null });
    } catch (error) {
      const canceled = error instanceof SignInCanceled;
      if (!canceled) this.#server.log.warn(`signing in at the gateway of ${id} failed`, error);
      const message = canceled ? error.message : failure;
      setImmediate(() => this.#report(id, { status: "failed", error: message }));
      throw internalError(message);
    } finally {
      stop();
      this.#pending = undefined;
    }
  }

  cancel(by: Client): void {
    if (this.#pending && this.#pending.by !== by) throw invalidRequest("Gateway sign-in belongs to another connection");
    this.#pending?.signIn.cancel();
  }

  close(): void {
    this.#pending?.signIn.cancel();
  }

  /** The token for a provider's gateway; `null` when the user has to sign in. */
  async token({ id, gatewayOauth }: ProviderConfig): Promise<string | null> {
    if (!gatewayOauth) return null;
    const tokens = this.#file.read(gatewayOauth);
    const fresh = tokens && (tokens.expiresAtMs === null || tokens.expiresAtMs - renewBeforeMs > Date.now());
    if (fresh) return tokens.accessToken;
    return tokens ? this.#renewed(id, gatewayOauth, tokens) : this.#notReady(id);
  }

  /** Replaces a token that the gateway refuses; `null` when there is none. */
  async renew({ id, gatewayOauth }: ProviderConfig, refused: string): Promise<string | null> {
    if (!gatewayOauth) return null;
    const tokens = this.#file.read(gatewayOauth);
    // Somebody else has renewed it in the meantime.
    if (tokens && tokens.accessToken !== refused) return tokens.accessToken;
    return tokens ? this.#renewed(id, gatewayOauth, tokens) : this.#notReady(id);
  }

  /** A refresh token may work only once: concurrent callers share the result. */
  async #renewed(id: string, gateway: GatewayOAuth, { refreshToken }: GatewayTokens): Promise<string | null> {
    const running = this.#renewing.get(id);
    const renewing = running ?? (refreshToken === null ? undefined : refreshTokens(gateway, refreshToken));
    if (renewing === undefined) {
      this.#file.remove(gateway);
      return this.#notReady(id);
    }
    this.#renewing.set(id, renewing);
    try {
      const renewed = await renewing;
      if (!running) this.#file.write(gateway, renewed);
      return renewed.accessToken;
    } catch (error) {
      this.#server.log.warn(`the login at the gateway of ${id} could not be renewed`, error);
      return this.#notReady(id);
    } finally {
      if (this.#renewing.get(id) === renewing) this.#renewing.delete(id);
    }
  }

  #notReady(id: string): null {
    const { status } = this.#states.get(id) ?? {};
    if (status !== "started" && status !== "failed") this.#report(id, { status: "notReady", error: null });
    return null;
  }

  #stored(gateway: GatewayOAuth): State {
    return { status: this.#file.read(gateway) ? "succeeded" : "notReady", error: null };
  }

  #report(providerId: string, state: State): void {
    const before = this.#states.get(providerId);
    if (before?.status === state.status && before.error === state.error) return;
    this.#states.set(providerId, state);
    this.#server.broadcast("account/gatewayOAuth/changed", { authUrl: null, providerId, ...state });
  }
}

const gateways = service((server: ServerContext) => {
  const made = new Gateways(server);
  server.onClose(() => made.close());
  return made;
});

/** The gateways of a server. Its end gives up a sign-in that waits. */
export const gatewaysOf = (server: ServerContext): Gateways => server.services.get(gateways);
