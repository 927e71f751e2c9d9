import { createHash, randomBytes } from "node:crypto";
import type { GatewayOAuth } from "../../config/provider/gateway-oauth.ts";
import { untilAborted } from "../../lib/until-aborted.ts";
import { loginTimeoutMs } from "../pending-login.ts";
import { exchangeCode, type GatewayTokens } from "./gateway-tokens.ts";

/** A sign-in that waits for its user. */
export interface GatewaySignIn {
  readonly authUrl: string;
  /** Resolves with the tokens; rejects when the sign-in fails, times out or is canceled. */
  readonly done: Promise<GatewayTokens>;
  /** Idempotent. */
  cancel(): void;
}

/** A client has canceled. */
export class SignInCanceled extends Error {
  override readonly name = "SignInCanceled";
}

/** Begins a sign-in: listens on this machine for the browser, until it ends. Throws where the port is taken. */
export function beginSignIn(gateway: GatewayOAuth): GatewaySignIn {
  const verifier = randomBytes(64).toString("base64url");
  const state = randomBytes(32).toString("base64url");
  const canceling = new AbortController();
  const signal = AbortSignal.any([canceling.signal, AbortSignal.timeout(loginTimeoutMs)]);
  const returned = Promise.withResolvers<GatewayTokens>();
  let redirectUri = "";
  const finish = async (query: URLSearchParams): Promise<Response> => {
    if (query.get("state") !== state) return new Response("OAuth callback state did not match", { status: 400 });
    try {
      const code = query.get("code");
      if (!code) throw new Error(`the gateway refused: ${query.get("error") ?? "no code"}`);
      returned.resolve(await exchangeCode(gateway, { code, redirectUri, verifier }));
      return page("Signed in. You may close this window.");
    } catch (error) {
      returned.reject(error);
      return page("Sign-in failed. You may close this window and try again.");
    }
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: gateway.redirectPort ?? 0,
    development: false,
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      return pathname === "/callback" ? finish(searchParams) : new Response("Not found", { status: 404 });
    },
  });
  redirectUri = `http://127.0.0.1:${server.port}/callback`;
  return {
    authUrl: authorizeUrl(gateway, { redirectUri, verifier, state }),
    // The page that was asked for is still sent.
    done: untilAborted(returned.promise, signal).finally(() => void server.stop()),
    cancel: () => canceling.abort(new SignInCanceled("Gateway sign-in was canceled")),
  };
}

function authorizeUrl(
  gateway: GatewayOAuth,
  given: { readonly redirectUri: string; readonly verifier: string; readonly state: string },
): string {
  const url = new URL(gateway.authorizationUrl);
  const query = {
    response_type: "code",
    client_id: gateway.clientId,
    redirect_uri: given.redirectUri,
    ...(gateway.scopes.length > 0 && { scope: gateway.scopes.join(" ") }),
    ...(gateway.resource !== null && { resource: gateway.resource }),
    code_challenge: createHash("sha256").update(given.verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: given.state,
  };
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  return url.href;
}

function page(words: string): Response {
  const html = `<!doctype html><meta charset="utf-8"><title>Sign-in</title><p>${words}</p>`;
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", connection: "close" },
  });
}
