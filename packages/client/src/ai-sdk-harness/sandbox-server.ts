import { CodexClient } from "../client/client.ts";
import type { ConnectOptions } from "../client/client-options.ts";
import { delay } from "../lib/backoff.ts";
import type { HarnessSandbox, SandboxProcess } from "./harness-types.ts";

/** Options of a server in a sandbox. */
export interface SandboxServerOptions {
  readonly sandbox: HarnessSandbox;
  /** Program and first arguments. */
  readonly command: readonly string[];
  /** The port; default: the first that the sandbox exposes. */
  readonly port: number | undefined;
  /** The address to listen on; default: as the endpoint wants it. */
  readonly listenHost: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly startTimeoutMs: number;
  readonly client: ConnectOptions;
  readonly signal: AbortSignal | undefined;
}

/** Characters of the server's output that an error quotes. */
const tailLength = 4000;

/** The pause between two attempts to connect while the server starts. */
const retryMs = 50;

/**
 * An app-server in a sandbox, and the client on it. A process of a sandbox has no stdin, so the server listens on a port
 * that the sandbox exposes. It takes only clients with its token, of which the sandbox gets no more than the hash.
 */
export class SandboxServer implements AsyncDisposable {
  readonly client: CodexClient;
  readonly #process: SandboxProcess;

  private constructor(client: CodexClient, process: SandboxProcess) {
    this.client = client;
    this.#process = process;
  }

  /** Starts the server and connects to it; what was started is ended if that fails. */
  static async start(options: SandboxServerOptions): Promise<SandboxServer> {
    const { sandbox, command, cwd, env, signal } = options;
    const port = options.port ?? sandbox.ports?.[0];
    if (!sandbox.getPortEndpoint || port === undefined)
      throw new Error(
        "Codex needs a port of the sandbox: its processes have no stdin. Use a sandbox provider with ports, and expose one",
      );
    const endpoint = await sandbox.getPortEndpoint({ port, protocol: "ws" });
    const url = endpoint.url.replace(/^http/, "ws");
    const token = randomToken();
    const host = options.listenHost ?? listenHostFor(url, port);
    const auth = ["--ws-auth", "capability-token", "--ws-token-sha256", await sha256(token)];
    const words = [...command, "--listen", `ws://${host}:${port}`, ...auth];
    const process = await sandbox.spawn({
      command: `exec ${words.map(quoted).join(" ")}`,
      workingDirectory: cwd,
      ...(env && { env: { ...env } }),
    });
    try {
      const connect = { ...options.client, token, ...(endpoint.headers && { headers: endpoint.headers }) };
      const client = await whenListening(process, options, () => CodexClient.connect(url, connect));
      // Nothing brings it back, so waiting calls should fail now.
      void Promise.resolve(process.wait()).then(
        () => client.close(),
        () => client.close(),
      );
      signal?.throwIfAborted();
      return new SandboxServer(client, process);
    } catch (error) {
      await process.kill();
      throw error;
    }
  }

  /** Closes the client and ends the server. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.#process.kill();
  }
}

/** A sandbox that is this machine itself must not be open to the network; others forward to their own interfaces. */
function listenHostFor(url: string, port: number): string {
  const endpoint = new URL(url);
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(endpoint.hostname) && endpoint.port === String(port);
  return isHere ? "127.0.0.1" : "0.0.0.0";
}

async function whenListening(
  process: SandboxProcess,
  { command, startTimeoutMs, signal }: SandboxServerOptions,
  connect: () => Promise<CodexClient>,
): Promise<CodexClient> {
  let output = "";
  const keep = (text: string) => {
    output = (output + text).slice(-tailLength);
  };
  void drain(process.stdout, keep);
  void drain(process.stderr, keep);
  let exitCode: number | undefined;
  void Promise.resolve(process.wait()).then(
    (exit) => {
      exitCode = exit.exitCode;
    },
    () => {
      exitCode = -1;
    },
  );
  const name = command.join(" ");
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await connect();
    } catch (cause) {
      const said = output.trim() === "" ? "" : `:\n${output.trim()}`;
      if (exitCode !== undefined)
        throw new Error(
          `${name} exited with code ${exitCode} in the sandbox (is it installed there, and its port free?)${said}`,
          { cause },
        );
      if (Date.now() > deadline)
        throw new Error(`${name} did not listen in the sandbox within ${startTimeoutMs} ms${said}`, { cause });
    }
    await delay(retryMs);
  }
}

async function drain(stream: ReadableStream<Uint8Array>, keep: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      keep(decoder.decode(value, { stream: true }));
    }
  } catch {
    // The sandbox is gone; its process says so too.
  }
}

const quoted = (word: string): string => (/^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const randomToken = (): string => hex(crypto.getRandomValues(new Uint8Array(32)));

async function sha256(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
