import { createHash, randomUUID } from "node:crypto";

/** An MCP server over HTTP that wants an OAuth login, and the OAuth server that gives it: with registration and PKCE. */
export class OAuthMcpServer implements AsyncDisposable {
  readonly #server: ReturnType<typeof Bun.serve>;
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>();
  readonly #access = new Set<string>();
  readonly #refresh = new Set<string>();
  readonly asked: string[] = [];
  /** How long tokens that are given from now on last, in seconds. */
  expiresIn = 3600;

  constructor() {
    this.#server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => this.#answer(request) });
  }

  get url(): string {
    return `${this.#origin}/mcp`;
  }

  get #origin(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** What a user does in the browser; gives where the browser is sent. */
  authorize(authorizationUrl: string): string {
    const query = new URL(authorizationUrl).searchParams;
    if (query.get("code_challenge_method") !== "S256") throw new Error("no S256 challenge");
    const code = randomUUID();
    const redirectUri = query.get("redirect_uri") ?? "";
    this.#codes.set(code, { challenge: query.get("code_challenge") ?? "", redirectUri });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    return back.href;
  }

  /** Makes all access tokens worthless; refresh tokens still work. */
  expire(): void {
    this.#access.clear();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.asked.push(`${request.method} ${pathname}`);
    const body = await request.text();
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return Response.json({ resource: this.url, authorization_servers: [this.#origin] });
    }
    if (pathname.startsWith("/.well-known/oauth-authorization-server")) {
      return Response.json({
        issuer: this.#origin,
        authorization_endpoint: `${this.#origin}/authorize`,
        token_endpoint: `${this.#origin}/token`,
        registration_endpoint: `${this.#origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    }
    if (pathname === "/register") return Response.json({ ...JSON.parse(body), client_id: "client-1" }, { status: 201 });
    if (pathname === "/token") return this.#tokens(new URLSearchParams(body));
    if (pathname === "/mcp") return this.#mcp(request, body);
    return new Response("", { status: 404 });
  }

  #tokens(fields: URLSearchParams): Response {
    const refused = Response.json({ error: "invalid_grant" }, { status: 400 });
    if (fields.get("grant_type") === "refresh_token") {
      if (!this.#refresh.delete(fields.get("refresh_token") ?? "")) return refused;
    } else {
      const code = this.#codes.get(fields.get("code") ?? "");
      this.#codes.delete(fields.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(fields.get("code_verifier") ?? "")
        .digest("base64url");
      if (code?.challenge !== challenge || code.redirectUri !== fields.get("redirect_uri")) return refused;
    }
    const [accessToken, refreshToken] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.#access.add(accessToken);
    this.#refresh.add(refreshToken);
    return Response.json({
      access_token: accessToken,
      token_type: "Bearer",
      refresh_token: refreshToken,
      expires_in: this.expiresIn,
    });
  }

  #mcp(request: Request, body: string): Response {
    const token = request.headers.get("authorization")?.replace(/^Bearer /i, "") ?? "";
    if (!this.#access.has(token)) {
      const challenge = `Bearer resource_metadata="${this.#origin}/.well-known/oauth-protected-resource"`;
      return new Response("", { status: 401, headers: { "www-authenticate": challenge } });
    }
    if (request.method !== "POST") return new Response("", { status: 405 });
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return new Response(null, { status: 202 });
    const answers: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "guarded", version: "1" },
      },
      "tools/list": { tools: [{ name: "hello", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "hello" }] },
    };
    return Response.json({ jsonrpc: "2.0", id, result: answers[method] ?? {} });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}
