import { quireVersion } from "@quire/protocol";
import type { Server } from "bun";
import { probe, readPorts } from "../discovery/probe.ts";
import type { PageSocketData } from "../page/page.ts";
import type { PageSet } from "../page/page-set.ts";
import type { Access } from "./access.ts";
import { jsonAnswer, textAnswer } from "./headers.ts";
import { checkKey } from "./key-check.ts";
import { askOrchestrator, orchestratorPath } from "./orchestrator-proxy.ts";
import type { PageFiles } from "./page-files.ts";
import { SignIn } from "./sign-in.ts";

/** Options of the web server. */
export interface WebServerOptions {
  readonly host: string;
  readonly port: number;
  /** Take a free port where this one is taken. */
  readonly anyPort: boolean;
  readonly maxPages: number;
  readonly pages: PageSet;
  readonly files: PageFiles;
  readonly orchestrator: string | undefined;
  readonly orchestratorToken: (() => string | undefined) | undefined;
  /** Made when the port is known. */
  access(port: number): Access;
}

/** The largest body that is read: what is larger comes over the socket. */
const maxBodyBytes = 1024 * 1024;

/** Listens for pages. Throws where it cannot. */
export function startWebServer(options: WebServerOptions): Server<PageSocketData> {
  const { pages } = options;
  let desk: Desk | undefined;
  const listen = (port: number) =>
    Bun.serve<PageSocketData>({
      hostname: options.host,
      port,
      development: false,
      // Outside of development, Bun shares its port with other processes, and requests go to either.
      reusePort: false,
      // Longer than an orchestrator may take to begin its answer.
      idleTimeout: 60,
      maxRequestBodySize: maxBodyBytes,
      fetch: (request, server) => desk?.answer(request, server),
      error: () => textAnswer(500, "The gateway could not answer this."),
      websocket: pages.handler,
    });
  const server = listenOn(options, listen);
  desk = new Desk(options, options.access(server.port ?? 0));
  return server;
}

function listenOn({ host, port, anyPort }: WebServerOptions, listen: (port: number) => Server<PageSocketData>) {
  try {
    return listen(port);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "EADDRINUSE" && anyPort) return listen(0);
    const known = new Map(
      Object.entries({
        EADDRINUSE: "the port is in use",
        EADDRNOTAVAIL: "this machine has no such address",
      }),
    );
    const why = known.get(String(code)) ?? (error as Error).message;
    throw new Error(`Cannot listen on ${host}:${port}: ${why}. Choose another --port or --host.`, { cause: error });
  }
}

class Desk {
  readonly #options: WebServerOptions;
  readonly #access: Access;
  readonly #signIn: SignIn;

  constructor(options: WebServerOptions, access: Access) {
    this.#options = options;
    this.#access = access;
    this.#signIn = new SignIn(access);
  }

  async answer(request: Request, server: Server<PageSocketData>): Promise<Response | undefined> {
    const refusal = this.#access.refusal(request);
    if (refusal !== undefined) return textAnswer(403, refusal);
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/api/session") return this.#signIn.answer(request);
    if (pathname === "/api/health") return jsonAnswer({ status: "ok", version: quireVersion });
    const isOrchestrator = pathname === orchestratorPath || pathname.startsWith(`${orchestratorPath}/`);
    const isPrivate = pathname === "/socket" || pathname.startsWith("/api/") || isOrchestrator;
    // The page itself holds no secret, and has to be there before it can show the token.
    if (!isPrivate) return this.#options.files.answer(request, pathname);
    if (!this.#access.isSignedIn(request)) return textAnswer(401, "Open the URL that quire printed.");
    if (pathname === "/socket") return this.#upgrade(request, server);
    if (pathname === "/api/key-check") return checkKey(request);
    if (pathname === "/api/probe") return this.#probe(request, searchParams.get("ports"));
    const { orchestrator, orchestratorToken } = this.#options;
    if (isOrchestrator && orchestrator !== undefined) {
      const endless = () => server.timeout(request, 0);
      return askOrchestrator(request, { base: orchestrator, token: orchestratorToken?.(), endless });
    }
    return textAnswer(404, "There is nothing here.");
  }

  #upgrade(request: Request, server: Server<PageSocketData>): Response | undefined {
    const { pages, maxPages } = this.#options;
    if (pages.size >= maxPages) return textAnswer(503, `${maxPages} pages are open already: close one.`);
    if (server.upgrade(request, { data: { page: undefined } })) return undefined;
    return textAnswer(426, "A WebSocket is expected here.", { Upgrade: "websocket" });
  }

  async #probe(request: Request, ports: string | null): Promise<Response> {
    if (request.method !== "GET") return textAnswer(405, "Only GET is served here.", { Allow: "GET" });
    return jsonAnswer((await probe(readPorts(ports))).map(({ port }) => port));
  }
}
