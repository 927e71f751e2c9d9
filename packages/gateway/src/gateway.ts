import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { HubInfo } from "@quire/protocol/gateway";
import { Sweep } from "./discovery/sweep.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { Access } from "./http/access.ts";
import { Devices } from "./http/devices.ts";
import { orchestratorPath } from "./http/orchestrator-proxy.ts";
import { PageFiles } from "./http/page-files.ts";
import { startWebServer } from "./http/web-server.ts";
import { HubSet } from "./hub/hub-set.ts";
import { PageSet } from "./page/page-set.ts";
import { Notices } from "./push/notices.ts";
import { PushSet } from "./push/push-set.ts";
import { StateFile } from "./state/state-file.ts";

/** A running gateway. */
export interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:4555`. */
  readonly origin: string;
  readonly token: string;
  /** Address to open in a browser. It holds the token, in its fragment, which browsers do not send. */
  readonly url: string;
  /** The same with a ticket that is good for one use within a minute, for where others may read it. */
  ticketUrl(): string;
  readonly hubs: readonly HubInfo[];
  /** Resolves when the page can be served, rejects when it cannot be built. */
  ready(): Promise<void>;
  /** Ends pages, hubs and the servers that it started. Idempotent; resolves when all is gone. */
  close(): Promise<void>;
}

const defaultPorts: readonly number[] = Array.from({ length: 10 }, (_, index) => 4500 + index);
const minTokenLength = 16;

/** Starts a gateway. Throws where it cannot listen, or where others could reach it without a token of its owner's. */
export function startGateway(options: GatewayOptions): Gateway {
  const { host = "127.0.0.1", discovery = {} } = options;
  const token = tokenFor(options.token, host);
  const log = options.log ?? (() => undefined);
  const state = new StateFile(options.stateFile);
  const devices = new Devices(token, state);
  const push = new PushSet(state, log);
  const notices = new Notices(push);
  const hubs: HubSet = new HubSet({
    asked: (hub, question) => notices.asked(hub, question),
    turnEnded: (hub, params) => notices.turnEnded(hub, params),
    reconnect: options.reconnect,
    lingerMs: options.lingerMs,
    broadcast: (frame, except) => pages.broadcast(frame, except),
    log,
    notAppServer: (address) => sweep?.backOff(Number(new URL(address).port)),
  });
  const pages = new PageSet({
    hubs,
    cwd: options.cwd ?? process.cwd(),
    orchestrator: options.orchestrator === undefined ? null : orchestratorPath,
    maxUnsentBytes: options.maxUnsentBytes,
  });
  const files = new PageFiles(() => options.page());
  let access: Access | undefined;
  const server = startWebServer({
    host,
    port: options.port ?? 0,
    anyPort: options.anyPort ?? false,
    maxPages: options.maxPages ?? 64,
    pages,
    files,
    orchestrator: options.orchestrator,
    orchestratorToken: options.orchestratorToken,
    devices,
    push,
    decide: (hub, question, approve) => hubs.get(hub)?.decide(question, approve) === true,
    access: (port) => {
      access = new Access({ token, devices, hosts: options.allowedHosts ?? [], cookieName: `quire_${port}` });
      return access;
    },
  });
  const port = server.port ?? 0;
  let sweep: Sweep | undefined;
  let closing: Promise<void> | undefined;
  const close = async () => {
    await sweep?.stop();
    pages.close();
    await hubs.close();
    await server.stop(true);
  };
  try {
    if (options.embedded) hubs.addEmbedded(options.embedded);
    for (const each of options.spawned ?? []) hubs.addSpawned(each);
    for (const address of options.addresses ?? []) hubs.addAddress(address);
  } catch (error) {
    void close();
    throw error;
  }
  if (discovery) {
    sweep = new Sweep({
      ports: (discovery.ports ?? defaultPorts).filter((each) => each !== port),
      everyMs: discovery.everyMs ?? 5000,
      found: (address) => hubs.addAddress(address, "discovered"),
    });
  }
  const origin = `http://${reachableHost(host)}:${port}`;
  return {
    port,
    origin,
    token,
    url: `${origin}/#token=${encodeURIComponent(token)}`,
    ticketUrl: () => `${origin}/#token=${access?.ticket()}`,
    get hubs() {
      return hubs.infos;
    },
    ready: () => files.ready(),
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

function tokenFor(given: string | undefined, host: string): string {
  if (given === undefined) {
    if (isLoopback(host)) return randomBytes(32).toString("base64url");
    throw new Error(
      `${host} can be reached by other machines, and anyone who opens the page can run commands as you: choose a token ` +
        "with --token or QUIRE_TOKEN, or leave out --host",
    );
  }
  if (given.length >= minTokenLength) return given;
  throw new Error(`A token has at least ${minTokenLength} characters: \`openssl rand -hex 32\` makes a good one`);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** `0.0.0.0` is where it listens, but nothing that a browser can open everywhere. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
