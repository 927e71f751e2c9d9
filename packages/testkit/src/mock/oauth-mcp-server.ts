import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Starts an MCP server that wants an OAuth login. */
export async function oauthMcpServer(): Promise<OAuthMcpServer> {
  const server = new OAuthMcpServer();
  await server.listen();
  return server;
}

/** An MCP server over HTTP that wants an OAuth login, and the OAuth server that gives it: with registration and PKCE. */
export class OAuthMcpServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>();
  readonly #access = new Set<string>();
  readonly #refresh = new Set<string>();
  /** Requests so far: their method and path. */
  readonly asked: string[] = [];
  /** The page to log in on. Default: one of this server. */
  page: string | undefined;
  /** Seconds that tokens last which are given from now on. */
  expiresIn = 3600;

  /** Use {@link oauthMcpServer}, which also waits until the server listens. */
  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Listens on a free port of this machine. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** The address of the MCP server. */
  get url(): string {
    return `${this.#origin}/mcp`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const { method = "GET", url = "/" } = request;
    const answer = this.#answer({
      method,
      path: new URL(url, this.#origin).pathname,
      headers: new Headers(headers),
      body: await text(request),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Does what a user does in the browser; gives the address that the browser is sent to. */
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

  #answer(request: Asked): Response {
    const { method, path: pathname, body } = request;
    this.asked.push(`${method} ${pathname}`);
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return Response.json({ resource: this.url, authorization_servers: [this.#origin] });
    }
    if (pathname.startsWith("/.well-known/oauth-authorization-server")) {
      return Response.json({
        issuer: this.#origin,
        authorization_endpoint: this.page ?? `${this.#origin}/authorize`,
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
    if (pathname === "/mcp") return this.#mcp(request);
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

  #mcp(request: Asked): Response {
    const token = request.headers.get("authorization")?.replace(/^Bearer /i, "") ?? "";
    if (!this.#access.has(token)) {
      const challenge = `Bearer resource_metadata="${this.#origin}/.well-known/oauth-protected-resource"`;
      return new Response("", { status: 401, headers: { "www-authenticate": challenge } });
    }
    if (request.method !== "POST") return new Response("", { status: 405 });
    const { id, method } = JSON.parse(request.body) as { id?: number; method: string };
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
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
