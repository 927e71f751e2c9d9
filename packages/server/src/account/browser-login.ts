import { createHash, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../lib/error-message.ts";
import { untilAborted } from "../lib/until-aborted.ts";
import type { IssuedTokens, Issuer } from "./issuer.ts";
import { LoginFailure, loginTimeoutMs, type PendingLogin } from "./pending-login.ts";

/** Number and interval of attempts at a port that another login is just releasing. */
const attempts = 10;
const attemptGapMs = 100;

const scope = "openid profile email offline_access api.connectors.read api.connectors.invoke";

/** Options of a login in the browser. */
export interface BrowserLoginOptions {
  readonly issuer: Issuer;
  readonly originator: string;
  /** The only workspace that may be chosen. */
  readonly workspaceId: string | null;
}

/** A login in the browser: the user follows `authUrl`, and the issuer sends the browser back to a port of ours. */
export interface BrowserLogin extends PendingLogin {
  readonly authUrl: string;
}

/** Begins one. The port is held until the login ends, however it does. */
export async function browserLogin(options: BrowserLoginOptions): Promise<BrowserLogin> {
  const verifier = randomBytes(64).toString("base64url");
  const state = randomBytes(32).toString("base64url");
  const ending = new AbortController();
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(loginTimeoutMs)]);
  const returned = Promise.withResolvers<IssuedTokens>();
  let redirectUri = "";

  const finish = async (query: URLSearchParams): Promise<Response> => {
    if (query.get("state") !== state) return new Response("State mismatch", { status: 400 });
    const refusal = query.get("error");
    const code = query.get("code");
    if (refusal !== null) {
      const why = query.get("error_description") || refusal;
      returned.reject(new LoginFailure(`Login server error: Sign-in failed: ${why.slice(0, 500)}`));
      return page("Sign-in failed", `You can close this window. ${why}`);
    }
    if (!code) return new Response("Missing authorization code", { status: 400 });
    try {
      returned.resolve(await options.issuer.exchange(code, verifier, redirectUri, signal));
      return page("Signed in", "You can close this window and go back to your program.");
    } catch (error) {
      const why = errorMessage(error);
      returned.reject(new LoginFailure(`Login server error: Token exchange failed: ${why}`));
      return page("Sign-in failed", "You can close this window and try again.");
    }
  };
  const server = await listen(options.issuer.callbackPorts, (request) => {
    const url = new URL(request.url);
    if (url.pathname === "/auth/callback") return finish(url.searchParams);
    if (url.pathname !== "/cancel") return new Response("Not Found", { status: 404 });
    // Another login on this machine wants the port; so Codex asks for it, too.
    ending.abort(new LoginFailure("Login server error: Login cancelled"));
    return new Response("Login cancelled");
  });
  redirectUri = `http://127.0.0.1:${server.port}/auth/callback`;
  return {
    id: randomUUID(),
    authUrl: authorizeUrl(options, { redirectUri, verifier, state }),
    done: untilAborted(returned.promise, signal)
      .catch((error: unknown) => {
        throw error instanceof LoginFailure ? error : new LoginFailure("Login server error: Login timed out");
      })
      // The page that was asked for is still sent.
      .finally(() => void server.stop()),
    cancel: (why) => ending.abort(new LoginFailure(`Login server error: ${why}`)),
  };
}

function authorizeUrl(
  { issuer, originator, workspaceId }: BrowserLoginOptions,
  given: { readonly redirectUri: string; readonly verifier: string; readonly state: string },
): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: issuer.clientId,
    redirect_uri: given.redirectUri,
    code_challenge: createHash("sha256").update(given.verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: given.state,
    scope,
    id_token_add_organizations: "true",
    codex_cli_simplified_flow: "true",
    originator,
    ...(workspaceId !== null && { allowed_workspace_id: workspaceId }),
  });
  return `${issuer.url}/oauth/authorize?${query}`;
}

type Listener = ReturnType<typeof Bun.serve>;

/** Listens on the first free port, on this machine only. */
async function listen(
  ports: readonly number[],
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Listener> {
  for (const port of ports) {
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        return Bun.serve({ hostname: "127.0.0.1", port, development: false, fetch: answer });
      } catch {
        if (attempt === 0) await cancelEarlier(port);
        await sleep(attemptGapMs);
      }
    }
  }
  throw new LoginFailure(
    `ports ${ports.join(" and ")} are taken by other programs; end the other login, or log in by device code`,
  );
}

/** Asks an earlier login to release its port. */
async function cancelEarlier(port: number): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/cancel`, { signal: AbortSignal.timeout(1000) }).then(
    (response) => response.body?.cancel(),
    () => undefined,
  );
}

function page(title: string, words: string): Response {
  const html = `<!doctype html><meta charset="utf-8"><title>${title}</title><body style="font-family: system-ui; margin: 4rem auto; max-width: 32rem"><h1>${title}</h1><p>${escaped(words)}</p>`;
  return new Response(html, {
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", connection: "close" },
  });
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
