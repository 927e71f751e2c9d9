import { errorMessage } from "../lib/error-message.ts";
import { readBounded } from "../lib/read-bounded.ts";
import { fields, text } from "./claims.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** OpenAI's client id for programs of this kind. */
const defaultClientId = "app_EMoamEEZ73f0CkXaXp7hrann";
/** Registered for that client: the usual port, and an alternative. */
const defaultPorts = [1455, 1457];
const requestTimeoutMs = 30_000;

/** Tokens as an issuer gives them. */
export interface IssuedTokens {
  readonly idToken: string | null;
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

/** A refusal or a failure of the issuer. The message holds no secret. */
export class IssuerError extends Error {
  override readonly name = "IssuerError";
  /** `null` when there was no response. */
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }

  /** True when the same request will always be refused. */
  get isFinal(): boolean {
    return this.status === 400 || this.status === 401 || this.status === 403;
  }
}

/** The OAuth server that logs users in: `$CODEX_APP_SERVER_LOGIN_ISSUER`, else OpenAI's. */
export class Issuer {
  readonly url: string;
  readonly clientId: string;
  /** The ports of the redirect; `$QUIRE_LOGIN_PORT` names another, 0 any free one. */
  readonly callbackPorts: readonly number[];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
    this.url = (env.CODEX_APP_SERVER_LOGIN_ISSUER?.trim() || "https://auth.openai.com").replace(/\/+$/, "");
    const port = Number(env.QUIRE_LOGIN_PORT || Number.NaN);
    this.callbackPorts = Number.isInteger(port) && port >= 0 && port < 65_536 ? [port] : defaultPorts;
    this.clientId = env.CODEX_APP_SERVER_LOGIN_CLIENT_ID?.trim() || defaultClientId;
  }

  async exchange(code: string, verifier: string, redirectUri: string, signal: AbortSignal): Promise<IssuedTokens> {
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      client_id: this.clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return issued(await this.#send(`${this.url}/oauth/token`, { headers, body: body.toString() }, signal));
  }

  async refresh(refreshToken: string, reason: string, issuer: string | null): Promise<IssuedTokens> {
    const url = this.#env.CODEX_REFRESH_TOKEN_URL_OVERRIDE?.trim() || `${issuer ?? this.url}/oauth/token`;
    const body = {
      client_id: this.clientId,
      grant_type: "refresh_token",
      refresh_reason: reason,
      refresh_token: refreshToken,
    };
    return issued(await this.#send(url, json(body)));
  }

  async revoke(refreshToken: string, issuer: string | null): Promise<void> {
    const url = this.#env.CODEX_REVOKE_TOKEN_URL_OVERRIDE?.trim() || `${issuer ?? this.url}/oauth/revoke`;
    const body = { token: refreshToken, token_type_hint: "refresh_token", client_id: this.clientId };
    await this.#send(url, json(body), AbortSignal.timeout(5000));
  }

  /** Posts JSON below the issuer's address. Rejects with an {@link IssuerError} for any status but 2xx. */
  async post(path: string, body: object, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
    return fields(await this.#send(`${this.url}${path}`, json(body), signal));
  }

  async #send(
    url: string,
    init: { headers: Record<string, string>; body: string },
    signal?: AbortSignal,
  ): Promise<unknown> {
    const timeout = AbortSignal.timeout(requestTimeoutMs);
    let response: Response;
    let body: string;
    try {
      response = await fetch(url, {
        method: "POST",
        ...init,
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      body = await readBounded(response);
    } catch (error) {
      signal?.throwIfAborted();
      throw new IssuerError(`error sending request for url (${url}): ${errorMessage(error)}`, null);
    }
    const answer = parse(body);
    if (response.ok) return answer;
    const { error, error_description: description } = fields(answer);
    const why = text(description) ?? text(error) ?? text(fields(error).message) ?? "no reason given";
    throw new IssuerError(
      `token endpoint returned status ${response.status} ${response.statusText}: ${why.slice(0, 500)}`,
      response.status,
    );
  }
}

function json(body: object): { headers: Record<string, string>; body: string } {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function issued(answer: unknown): IssuedTokens {
  const given = fields(answer);
  const accessToken = text(given.access_token);
  if (accessToken === null) throw new IssuerError("the token endpoint's answer has no access_token", null);
  return { accessToken, idToken: text(given.id_token), refreshToken: text(given.refresh_token) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
