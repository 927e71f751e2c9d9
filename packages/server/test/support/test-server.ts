import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryPair } from "@quire/jsonrpc/memory";
import { createLog, createServer, type QuireServer, type ServerOptions } from "@quire/server";
import {
  type CodexConfig,
  codexConfigToml,
  type MockResponses,
  mockResponses,
  type Reply,
  reply,
  tempDir,
} from "@quire/testkit";
import { databaseOfTest } from "./database.ts";
import { TestClient } from "./test-client.ts";

/** How a server is started. */
export interface TestServerOptions extends Omit<ServerOptions, "home"> {
  /** What the first client says it can. */
  readonly capabilities?: object;
}

/** Where servers live: what they share, and what is left when one of them has ended. */
export interface TestHome extends AsyncDisposable {
  /** The model of every server on this home: it says what the test scripts. */
  readonly model: MockResponses;
  readonly home: string;
  /** An empty folder that threads can work in. */
  readonly cwd: string;
  /** Another one beside it. */
  readonly outside: string;
  /** Starts a server on this home. Disposing of the home ends it. */
  open(options?: TestServerOptions): Promise<TestServer>;
}

/** A server in this process and its first client. */
export interface TestServer extends TestHome {
  readonly server: QuireServer;
  readonly client: TestClient;
  /** One more client. */
  connect(capabilities?: object): Promise<TestClient>;
  /** Ends the server with its clients; the home stays. */
  close(): Promise<void>;
}

/** Which model a home has, and what its `config.toml` says. */
export interface TestHomeOptions {
  /** A folder to use as it is: what it configures is the test's. Default: a new one with a scripted model. */
  readonly home?: string | undefined;
  /** `scripted` writes a `config.toml` also into a given home, `offline` none into a new one. */
  readonly model?: "scripted" | "offline" | undefined;
  /** What else `config.toml` says. */
  readonly config?: Omit<CodexConfig, "baseUrl"> | undefined;
}

/** Makes a home, without a server. */
export async function testHome(options: TestHomeOptions = {}): Promise<TestHome> {
  const folder = await tempDir("quire-server-");
  const { home = join(folder.path, "home") } = options;
  const [cwd, outside] = [join(folder.path, "work"), join(folder.path, "outside")];
  const model = await mockResponses();
  const scripted = options.model === undefined ? options.home === undefined : options.model === "scripted";
  const made = scripted || options.home === undefined ? [home, cwd, outside] : [cwd, outside];
  for (const path of made) mkdirSync(path, { recursive: true });
  if (scripted) writeFileSync(join(home, "config.toml"), codexConfigToml({ ...options.config, baseUrl: model.url }));
  const open = new Set<TestServer>();
  const place: TestHome = {
    model,
    home,
    cwd,
    outside,
    open: async (how) => {
      const server = await start(place, how);
      open.add(server);
      return server;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...open].map((server) => server.close()));
      await model.close();
      await folder[Symbol.asyncDispose]();
    },
  };
  return place;
}

async function start(place: TestHome, { capabilities, ...options }: TestServerOptions = {}): Promise<TestServer> {
  const { home } = place;
  const log = createLog({ level: "error", env: {} });
  const env = { PATH: process.env.PATH, HOME: home, ...options.env };
  const url = await databaseOfTest(home);
  const configOverrides = { ...(url && { "store.url": url }), ...options.configOverrides };
  const server = createServer({ log, ...options, configOverrides, env, home });
  const clients: TestClient[] = [];
  const connect = async (can?: object) => {
    const [ours, theirs] = memoryPair();
    server.accept(theirs);
    const client = new TestClient(ours);
    clients.push(client);
    await client.initialize(can);
    return client;
  };
  return {
    ...place,
    server,
    client: await connect(capabilities),
    connect,
    close: async () => {
      await server.close();
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** Makes a home and starts a server on it. Disposing ends the server, and removes the home if it is a new one. */
export async function testServer(options: TestHomeOptions & TestServerOptions = {}): Promise<TestServer> {
  const { home, model, config, ...how } = options;
  return (await testHome({ home, model, config })).open(how);
}

/** Lets a thread work without asking anybody, within its folder. */
export const unattended = { approvalPolicy: "never", sandbox: "workspace-write" } as const;

/** A reply of the model that runs one command. */
export function command(cmd: string, more: object = {}): Reply {
  return reply().functionCall("exec_command", { cmd, login: false, ...more });
}
