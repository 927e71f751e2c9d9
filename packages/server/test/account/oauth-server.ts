import { createHash, randomUUID } from "node:crypto";

/** A token as ChatGPT makes it, but for the signature. */
export function token(name: string, options: { exp?: number; accountId?: string; plan?: string } = {}): string {
  const { exp = 4_000_000_000, accountId = "account-1", plan = "plus" } = options;
  const auth = { chatgpt_account_id: accountId, chatgpt_plan_type: plan };
  const claims = { jti: name, email: "ada@example.com", exp, "https://api.openai.com/auth": auth };
  const parts = [JSON.stringify({ alg: "none" }), JSON.stringify(claims), "signature"];
  return parts.map((part) => Buffer.from(part).toString("base64url")).join(".");
}

/**
 * An OAuth server that is strict: a code works once and only with the verifier of its challenge; a refresh token works
 * once; what was revoked works never.
 */
export class OAuthServer implements AsyncDisposable {
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>();
  readonly #refreshTokens = new Set<string>();
  readonly #server: ReturnType<typeof Bun.serve>;
  /** What was asked, without bodies. */
  readonly asked: string[] = [];
  /** When tokens that are given from now on end, in seconds since 1970. */
  exp = 4_000_000_000;
  #issued = 0;
  /** Answers instead of the server, if it is set and gives something. */
  override: ((path: string) => Response | Promise<Response> | undefined) | undefined;

  constructor() {
    this.#server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#answer(request) });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** What a user does in the browser; gives where the browser is sent. */
  authorize(authUrl: string): string {
    const query = new URL(authUrl).searchParams;
    if (query.get("code_challenge_method") !== "S256") throw new Error("no S256 challenge");
    const code = randomUUID();
    const redirectUri = query.get("redirect_uri") ?? "";
    this.#codes.set(code, { challenge: query.get("code_challenge") ?? "", redirectUri });
    return `${redirectUri}?code=${code}&state=${query.get("state")}`;
  }

  /** Makes a refresh token that works. */
  grant(): string {
    const refreshToken = `refresh-${randomUUID()}`;
    this.#refreshTokens.add(refreshToken);
    return refreshToken;
  }

  holds(refreshToken: string): boolean {
    return this.#refreshTokens.has(refreshToken);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.asked.push(pathname);
    const body = await request.text();
    const given = this.override?.(pathname);
    if (given) return given;
    const isJson = request.headers.get("content-type")?.includes("json");
    const fields: Record<string, string> = isJson
      ? JSON.parse(body || "{}")
      : Object.fromEntries(new URLSearchParams(body));
    if (pathname === "/oauth/token") return this.#tokens(fields);
    if (pathname === "/oauth/revoke") {
      this.#refreshTokens.delete(fields.token ?? "");
      return Response.json({});
    }
    return Response.json({}, { status: 404 });
  }

  #tokens(fields: Record<string, string>): Response {
    const refused = (error: string) => Response.json({ error }, { status: 400 });
    if (fields.grant_type === "refresh_token") {
      if (!this.#refreshTokens.delete(fields.refresh_token ?? "")) return refused("invalid_grant");
    } else {
      const code = this.#codes.get(fields.code ?? "");
      this.#codes.delete(fields.code ?? "");
      if (code === undefined || code.redirectUri !== fields.redirect_uri) return refused("invalid_grant");
      const challenge = createHash("sha256")
        .update(fields.code_verifier ?? "")
        .digest("base64url");
      if (challenge !== code.challenge) return refused("invalid_grant");
    }
    this.#issued += 1;
    const name = `issued-${this.#issued}`;
    return Response.json({
      id_token: token(name),
      access_token: token(name, { exp: this.exp }),
      refresh_token: this.grant(),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}
