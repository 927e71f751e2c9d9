import { randomBytes } from "node:crypto";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClient } from "../config/mcp-config.ts";
import { timerDelay } from "../lib/timer-delay.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { CredentialsFile } from "./credentials-file.ts";
import { discoverLogin } from "./oauth-discovery.ts";
import { McpOAuth } from "./oauth-provider.ts";
import { mcpOAuthRedirect } from "./oauth-redirect.ts";

const defaultTimeoutSec = 300;
const requestTimeoutMs = 30_000;

/** A login at an MCP server. */
export interface LoginRequest {
  readonly home: string;
  readonly name: string;
  readonly url: string;
  readonly client: OAuthClient;
  /** In place of those of the configuration. */
  readonly scopes: readonly string[] | null;
  readonly timeoutSec: number | null;
  /** The port of the redirect; `null` for any. */
  readonly callbackPort: number | null;
  /** The address that the browser reaches the redirect by; `null` for this machine's own. */
  readonly callbackUrl: string | null;
  readonly signal: AbortSignal;
}

/** A login that waits for its user. */
export interface McpLoginAttempt {
  readonly authorizationUrl: string;
  /** Resolves when the tokens are stored; rejects with the reason. */
  readonly done: Promise<void>;
}

/** Begins a login: finds the server's issuer, registers, and listens for the browser. Rejects where that cannot be. */
export async function beginLogin(request: LoginRequest): Promise<McpLoginAttempt> {
  const state = randomBytes(16).toString("base64url");
  const { client, callbackUrl } = request;
  const scopes = request.scopes ?? client.scopes;
  const finished = Promise.withResolvers<void>();
  const limit = AbortSignal.any([
    request.signal,
    AbortSignal.timeout(timerDelay(request.timeoutSec ?? defaultTimeoutSec)),
  ]);
  let finish = (_code: string): Promise<void> => Promise.reject(new Error("the login has not begun"));
  const listener = Bun.serve({
    hostname: "127.0.0.1",
    port: request.callbackPort ?? 0,
    development: false,
    fetch: async (incoming) => {
      const { pathname, searchParams } = new URL(incoming.url);
      if (pathname !== new URL(redirectUri).pathname) return new Response("Not Found", { status: 404 });
      if (searchParams.get("state") !== state) return new Response("State mismatch", { status: 400 });
      const refusal = searchParams.get("error_description") ?? searchParams.get("error");
      try {
        if (refusal !== null) throw new Error(`the server refused: ${refusal.slice(0, 500)}`);
        await finish(searchParams.get("code") ?? "");
        finished.resolve();
        return new Response("Signed in. You may close this window.");
      } catch (error) {
        finished.reject(error);
        return new Response("Sign-in failed. You may close this window and try again.", { status: 400 });
      }
    },
  });
  const redirectUri = mcpOAuthRedirect(request.url, callbackUrl ?? `http://127.0.0.1:${listener.port}/callback`);
  const aborted = () =>
    finished.reject(new Error(request.signal.aborted ? "the login was given up" : "timed out waiting for the browser"));
  limit.addEventListener("abort", aborted, { once: true });
  const done = finished.promise.finally(() => {
    limit.removeEventListener("abort", aborted);
    void listener.stop();
  });
  // Nobody else handles it before the caller does.
  done.catch(() => undefined);
  try {
    let page: URL | undefined;
    const place = { file: new CredentialsFile(request.home), name: request.name, url: request.url, client };
    const provider = new McpOAuth(place, {
      redirectUri,
      state,
      scopes,
      open: (url) => {
        page = url;
      },
    });
    const bounded = () => AbortSignal.any([limit, AbortSignal.timeout(requestTimeoutMs)]);
    const { resourceMetadataUrl } = await discoverLogin(request.url, bounded());
    const options = {
      serverUrl: request.url,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      fetchFn: (url: string | URL, init?: RequestInit) => boundedFetch(url, { ...init, signal: bounded() }),
    };
    finish = async (authorizationCode) => void (await auth(provider, { ...options, authorizationCode }));
    await auth(provider, options);
    if (page === undefined) throw new Error("the server gave no page to open");
    // A browser is handed it, and hands addresses of other kinds to other programs.
    if (!/^https?:$/.test(page.protocol)) throw new Error(`the server's login page is no web page: ${page.protocol}`);
    // Any other address would start a program of the user's, which opens it.
    if (!/^https?:$/.test(page.protocol))
      throw new Error(`the server's login page is no web page but ${page.protocol}`);
    return { authorizationUrl: page.href, done };
  } catch (error) {
    finished.reject(error);
    throw error;
  }
}
