import { spawn } from "node:child_process";
import process from "node:process";
import type { Transport } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { cleanPath } from "../lib/clean-path.ts";
import type { SshAddress } from "../workflow/ssh-address.ts";
import { WorkspaceError } from "../workspace/workspace-error.ts";
import { maxLineBytes, shutdownMs } from "./local-executor.ts";
import { quote } from "./shell-words.ts";

/** Exit code by which ssh says that it could not connect, or lost the connection. */
const lostCode = 255;
/** Exit code of a script there in place of ssh's own. */
const replacedCode = 254;
/** Output that is kept, of errors from its end. */
const maxOutput = 64 * 1024 * 1024;
const maxErrors = 8 * 1024;
/** Tries at a host that turns connections away because it has too many at once, and the pause between them. */
const maxTries = 4;
const pauseMs = 300;

/** Options of a script that runs on a host. */
export interface ScriptOptions {
  readonly signal?: AbortSignal | undefined;
  /** Input of the script. Default: none, and it stays open. */
  readonly input?: string | undefined;
}

/** Result of a script. */
export interface ScriptResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs scripts on a host by OpenSSH, as the user's own configuration of it says. */
export class SshConnection {
  readonly #address: SshAddress;
  readonly #env: Readonly<Record<string, string | undefined>>;

  /** @param env The orchestrator's variables, of which ssh gets those that it needs; `QUIRE_SSH_CONFIG` names another configuration. */
  constructor(address: SshAddress, env: Readonly<Record<string, string | undefined>>) {
    this.#address = address;
    this.#env = env;
  }

  get name(): string {
    return this.#address.name;
  }

  /** Options of ssh, without the host. */
  get options(): readonly string[] {
    const { QUIRE_SSH_CONFIG: config } = this.#env;
    const { port } = this.#address;
    return [
      "-T",
      // A host that does not answer is lost after 45 s.
      ...[
        "BatchMode=yes",
        "ConnectTimeout=10",
        "ServerAliveInterval=15",
        "ServerAliveCountMax=3",
        "ForwardAgent=no",
      ].flatMap((option) => ["-o", option]),
      ...(config ? ["-F", config] : []),
      ...(port === null ? [] : ["-p", port]),
    ];
  }

  get target(): string {
    return this.#address.target;
  }

  /** Runs a script to its end. Its input stays open until then: when this side goes, it ends. Throws `host_lost`. */
  async run(script: string, options: ScriptOptions = {}): Promise<ScriptResult> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.#once(script, options);
      if (result.code !== lostCode) return result;
      const isBusy = /kex_exchange_identification|Connection reset|Connection closed by/i.test(result.stderr);
      if (!isBusy || attempt >= maxTries) throw this.#lost(result.stderr);
      await new Promise((done) => setTimeout(done, pauseMs * attempt * (1 + Math.random())));
    }
  }

  /** Starts a program whose input and output are the transport. */
  dial(script: string, onStderr: (chunk: Uint8Array) => void): Transport & { pid?: number | undefined } {
    return spawnTransport({
      command: "ssh",
      args: this.#args(script),
      env: this.#childEnv(),
      maxMessageBytes: maxLineBytes,
      shutdownMs,
      guard: true,
      onStderr,
    });
  }

  #once(script: string, { signal, input }: ScriptOptions): Promise<ScriptResult> {
    signal?.throwIfAborted();
    return new Promise((done, fail) => {
      const child = spawn("ssh", this.#args(script), { env: this.#childEnv(), stdio: ["pipe", "pipe", "pipe"] });
      const parts: Buffer[] = [];
      let [size, stderr] = [0, ""];
      const end = () => child.kill("SIGTERM");
      signal?.addEventListener("abort", end, { once: true });
      child.stdin.on("error", () => undefined);
      if (input !== undefined) child.stdin.end(input);
      child.stdout.on("data", (part: Buffer) => {
        size += part.length;
        if (size > maxOutput) end();
        else parts.push(part);
      });
      child.stderr.on("data", (part: Buffer) => {
        stderr = (stderr + part.toString("utf8")).slice(-maxErrors);
      });
      child.once("error", (cause) =>
        fail(new Error(`ssh cannot be run (${cause.message}): install OpenSSH`, { cause })),
      );
      child.once("close", (code) => {
        signal?.removeEventListener("abort", end);
        if (signal?.aborted) fail(signal.reason);
        else done({ code: code ?? lostCode, stdout: Buffer.concat(parts).toString("utf8"), stderr });
      });
    });
  }

  #args(script: string): string[] {
    const whole = `(\n${script}\n)\ns=$?\n[ "$s" = ${lostCode} ] && s=${replacedCode}\nexit "$s"`;
    return [...this.options, "--", this.#address.target, `exec sh -c ${quote(whole)}`];
  }

  /**
   * Nothing of this machine goes there but what the script says. The client carries no mark of a run: where the host is this
   * machine, it would be taken for a process of the run.
   */
  #childEnv(): Record<string, string> {
    const names = ["PATH", "HOME", "USER", "LOGNAME", "SSH_AUTH_SOCK", "TMPDIR"];
    const kept = names.flatMap((name) => {
      const value = this.#env[name] ?? process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const { PATH, ...others } = Object.fromEntries(kept);
    // The folder that it is started in may be the work.
    const own = cleanPath(PATH, process.cwd());
    return own === undefined ? others : { ...others, PATH: own };
  }

  #lost(stderr: string): WorkspaceError {
    const why = stderr.trim().split("\n").at(-1)?.slice(0, 300) || "the connection was lost";
    return new WorkspaceError("host_lost", `${this.name} cannot be reached (${why}): try ssh ${this.target}`);
  }
}
