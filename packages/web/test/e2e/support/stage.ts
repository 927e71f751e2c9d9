import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CodexClient } from "@quire/client";
import { codexVersion } from "@quire/protocol/version";
import {
  assertNoProcesses,
  type MockResponses,
  mockResponses,
  type RealCodex,
  realCodex,
  type ScriptedReply,
  waitUntilStored,
} from "@quire/testkit";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { launchBrowser } from "../../support/browser.ts";
import { Screen } from "./screen.ts";

const quire = join(import.meta.dirname, "..", "..", "..", "..", "cli", "bin", "quire");

/** How a stage is set up. */
export interface StageOptions {
  /** A version of Codex to put behind the gateway; without one, our own server in the gateway's process. */
  readonly codex?: string | undefined;
  /** Lets the built-in model answer instead of the scripted one. */
  readonly offline?: boolean | undefined;
  /** `config.toml` of the embedded server; with `offline`. */
  readonly config?: string | undefined;
  /** Starts the server by itself, so that it can be killed; the gateway gets its address. */
  readonly apart?: boolean | undefined;
}

/** How a tab is opened. */
export interface TabOptions extends BrowserContextOptions {
  readonly theme?: "dark" | "light";
}

/** `quire up` with a server behind it, a scripted model, and a browser. Whoever opened it disposes of it. */
export interface Stage extends AsyncDisposable {
  readonly mock: MockResponses;
  /** The folder that threads work in. */
  readonly cwd: string;
  /** What the model says in a thread in which this text was written: tests do not get each other's replies. */
  model(asked: string, ...replies: readonly ScriptedReply[]): void;
  /** Opens the page in a browser that has not been here before. */
  tab(options?: TabOptions): Promise<Screen>;
  /** Opens the address without the token, in a browser that has not been here before. */
  stranger(): Promise<Page>;
  /** Closes all tabs, to be ready for the next test. */
  closeTabs(): Promise<void>;
  /** The home folder of the user whom the servers run as. */
  readonly home: string;
  /** True for our own server. */
  readonly isOurs: boolean;
  /** Lets a browser in. */
  readonly token: string;
  /** Ends the gateway and starts it at the same port. */
  restartGateway(): Promise<void>;
  /** Ends the gateway, with the embedded server in it. */
  endGateway(): Promise<void>;
  /** With `apart`: waits until a turn can be read back, so that it outlives the server. */
  stored(prompt: string): Promise<void>;
  /** With `apart`: ends the server without a word. */
  killServer(): Promise<void>;
  /** With `apart`: starts it again at the same address. */
  startServer(): Promise<void>;
}

/** Starts everything. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { codex: version, offline = false, apart = false } = options;
  const mock = await mockResponses();
  const codex = await realCodex(version ?? codexVersion, {
    model: mock,
    // 0.166 offers plans to models that it knows, unless it is told otherwise.
    config: version === "0.118.0" ? {} : { "tools.update_plan.enabled": true },
  });
  const program = version === undefined ? quire : codex.command;
  // The embedded server has a home of its own where a Codex is what is tested.
  const ownHome = version !== undefined || apart || offline;
  const home = join(codex.cwd, "..", "quire-home");
  const env = ownHome ? { ...codex.env, QUIRE_HOME: home } : codex.env;
  if (options.config !== undefined) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "config.toml"), options.config);
  }
  let server: ChildProcess | undefined;
  let address = "ws://127.0.0.1:0";
  const startServer = async (): Promise<void> => {
    server = spawn(program, [...codex.args, "--listen", address], {
      env: codex.env,
      cwd: codex.cwd,
      stdio: ["ignore", "ignore", "pipe"],
    });
    address = await firstMatch(server, /ws:\/\/127\.0\.0\.1:\d+(?=\s)/);
  };
  if (apart) await startServer();
  const hubs = apart ? ["--hub", address] : version === undefined ? [] : ["--codex", `"${program}" app-server`];
  let port = 0;
  let url = "";
  let token = "";
  let gateway: ChildProcess;
  let said = (): string => "";
  const startGateway = async (): Promise<void> => {
    const args = ["up", "--no-open", "--json", "--port", String(port), "--no-discovery", ...hubs];
    gateway = spawn(quire, args, { cwd: codex.cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    said = errorsOf(gateway);
    ({ port, url, token } = JSON.parse(await firstMatch(gateway, /^\{.*\}$/m)) as {
      port: number;
      url: string;
      token: string;
    });
  };
  await startGateway();
  const browser = await launchBrowser();
  return {
    mock,
    cwd: codex.cwd,
    home: codex.env.HOME ?? "",
    isOurs: version === undefined,
    model: (asked, ...replies) => void mock.when((request) => request.inputText().includes(asked)).reply(...replies),
    async tab(options) {
      try {
        return await openTab(browser, { ...options, url, cwd: codex.cwd, ownHub: apart || version !== undefined });
      } catch (cause) {
        const state = gateway.signalCode ?? gateway.exitCode;
        throw new Error(`No tab: the gateway ${state === null ? "runs" : `ended by ${state}`}. ${said()}`, { cause });
      }
    },
    async stranger() {
      const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
      await page.goto(new URL("/", url).href);
      return page;
    },
    async closeTabs() {
      await Promise.all(browser.contexts().map((context: BrowserContext) => context.close()));
    },
    get token() {
      return token;
    },
    endGateway: () => end(gateway, "SIGTERM"),
    async restartGateway() {
      await end(gateway, "SIGTERM");
      await startGateway();
    },
    async stored(prompt) {
      await using client = await CodexClient.connect(address);
      const newest = async () => {
        const [thread] = (await client.listThreads()).data;
        return thread && client.readThread(thread.id, true);
      };
      await waitUntilStored(newest, prompt);
    },
    killServer: () => end(server, "SIGKILL"),
    startServer,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await end(gateway, "SIGTERM");
      await end(server, "SIGKILL");
      await finish(codex, mock);
    },
  };
}

async function finish(codex: RealCodex, mock: MockResponses): Promise<void> {
  try {
    await assertNoProcesses({ tag: codex.tag });
  } finally {
    await codex[Symbol.asyncDispose]();
    await mock.close();
  }
}

interface TabAt extends TabOptions {
  readonly url: string;
  readonly cwd: string;
  /** Whether the tested server is another one than the embedded. */
  readonly ownHub: boolean;
}

async function openTab(browser: Browser, { url, cwd, ownHub, theme = "dark", ...options }: TabAt): Promise<Screen> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: theme,
    reducedMotion: "reduce",
    ...options,
  });
  // Everything is waited for by what it shows; this is only for what never comes, also on a machine that is busy.
  context.setDefaultTimeout(45_000);
  const page = await context.newPage();
  const screen = new Screen(page, cwd, ownHub);
  await page.goto(url);
  await screen.message.waitFor();
  return screen;
}

/** Resolves with the first match in what a process says; rejects if it ends before. */
function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk.toString();
      const match = pattern.exec(said)?.[0];
      if (match !== undefined) resolve(match);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`It ended with ${code}: ${said}`)));
  });
}

/** What a process says on stderr, to be told where something else fails because of it. */
function errorsOf({ stderr }: ChildProcess): () => string {
  let said = "";
  stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  return () => said;
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), 45_000);
  await ended;
  clearTimeout(timer);
}
