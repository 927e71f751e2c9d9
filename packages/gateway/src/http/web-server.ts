import { quireVersion } from "@quire/protocol";
import type { Server } from "bun";
import { probe, readPorts } from "../discovery/probe.ts";
import type { PageSocketData } from "../page/page.ts";
import type { PageSet } from "../page/page-set.ts";
import type { PushSet } from "../push/push-set.ts";
import type { Access } from "./access.ts";
import type { Devices } from "./devices.ts";
import { DevicesApi, readJson } from "./devices-api.ts";
import { emptyAnswer, jsonAnswer, textAnswer } from "./headers.ts";
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
  readonly devices: Devices;
  readonly push: PushSet;
  /** Answers a question from a notice; false where that cannot be done any more. */
  decide(hub: string, question: string, approve: boolean): boolean;
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
  desk = new Desk(options, options.access(server.port ?? 0), server.port ?? 0);
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
  readonly #devices: DevicesApi;

  constructor(options: WebServerOptions, access: Access, port: number) {
    this.#options = options;
    this.#access = access;
    this.#signIn = new SignIn(access);
    this.#devices = new DevicesApi({ ...options, access, port });
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
    const ofDevices = await this.#devices.answer(request, pathname);
    if (ofDevices !== undefined) return ofDevices;
    if (pathname === "/api/answer") return this.#decide(request);
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
    const device = this.#access.deviceOf(request);
    if (server.upgrade(request, { data: { page: undefined, device } })) return undefined;
    return textAnswer(426, "A WebSocket is expected here.", { Upgrade: "websocket" });
  }

  /** `POST /api/answer`: the answer to a question, pressed on a notice. */
  async #decide(request: Request): Promise<Response> {
    if (request.method !== "POST") return textAnswer(405, "Only POST is served here.", { Allow: "POST" });
    const { hub, question, approve } = ((await readJson(request)) ?? {}) as Record<string, unknown>;
    if (typeof hub !== "string" || typeof question !== "string" || typeof approve !== "boolean") {
      return textAnswer(400, "Expected {hub, question, approve} as application/json.");
    }
    if (this.#options.decide(hub, question, approve)) return emptyAnswer(204);
    return textAnswer(410, "This question is over, or needs more than a yes or no.");
  }

  async #probe(request: Request, ports: string | null): Promise<Response> {
    if (request.method !== "GET") return textAnswer(405, "Only GET is served here.", { Allow: "GET" });
    return jsonAnswer((await probe(readPorts(ports))).map(({ port }) => port));
  }
}
