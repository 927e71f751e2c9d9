import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { codexConfigToml } from "@quire/testkit";

const quire = join(import.meta.dirname, "../../packages/cli/bin/quire");

/** A server of the fleet in a process of its own, with a home of its own, as on another machine. */
export class FleetServer {
  readonly name: string;
  readonly #home: string;
  #child: ChildProcess | undefined;
  /** Its WebSocket address; a new one after each start. */
  url = "";

  constructor(name: string, options: { folder: string; modelUrl: string; storeUrl?: string; leaseSeconds?: number }) {
    this.name = name;
    this.#home = join(options.folder, name);
    mkdirSync(this.#home, { recursive: true });
    const { storeUrl, leaseSeconds = 10 } = options;
    const store = storeUrl === undefined ? "" : `\n[store]\nurl = "${storeUrl}"\nlease_seconds = ${leaseSeconds}\n`;
    writeFileSync(join(this.#home, "config.toml"), codexConfigToml({ baseUrl: options.modelUrl }) + store);
  }

  get runs(): boolean {
    return this.#child !== undefined;
  }

  async start(): Promise<void> {
    const env = { PATH: process.env.PATH, HOME: this.#home, QUIRE_HOME: this.#home };
    const args = ["app-server", "--listen", "ws://127.0.0.1:0"];
    const child = spawn(quire, args, { env, cwd: this.#home, stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    this.url = await new Promise((resolve, reject) => {
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        if (said.length < 10_000) said += text;
        const [url] = /ws:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
        if (url) resolve(url);
      });
      child.once("exit", (code) => reject(new Error(`${this.name} ended with code ${code}: ${said}`)));
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  /** Holds the process for a while, as a machine does that swaps or sleeps. */
  async hold(ms: number): Promise<void> {
    this.#child?.kill("SIGSTOP");
    await Bun.sleep(ms);
    this.#child?.kill("SIGCONT");
  }
}
