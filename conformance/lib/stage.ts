import process from "node:process";
import { type ChildTransport, spawnTransport } from "@quire/jsonrpc/stdio";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import {
  eventually,
  installCodex,
  type MockResponses,
  mockResponses,
  type RealCodex,
  type RecordedRequest,
  realCodex,
  reply,
} from "@quire/testkit";
import { type CommandOptions, type CommandOutput, observedOutput, runCommandLine } from "./command-line.ts";
import type { Contestant } from "./contestants.ts";
import { type Listener, type ListenOptions, listen } from "./listener.ts";
import { Peer, type Said } from "./peer.ts";
import type { Scenario } from "./scenario.ts";

/** Options of a connection. */
export interface ConnectOptions {
  /** `capabilities` of `initialize`: by default the experimental API. `null` sends none; `false` leaves out `initialize`. */
  readonly capabilities?: object | null | false;
  /** Further flags of the command, for a connection over stdio. */
  readonly flags?: readonly string[];
  /** Takes the real Codex of this version, whoever is compared: to have a home that it has written. */
  readonly codex?: string;
}

/** Silence that marks the end: a server's last messages come within a few milliseconds. */
const silenceMs = 100;

/**
 * Everything that a scenario works with: a server that can be restarted on one home, and its scripted model. Ends all
 * processes that it started.
 */
export class Stage implements AsyncDisposable {
  readonly model: MockResponses;
  /** Everything that was said, in order. */
  readonly log: Said[] = [];
  /** The model's requests and when they came. */
  readonly asked: Map<RecordedRequest, number> = new Map();
  /** Values passed to {@link Stage.observe}. */
  readonly observations: (readonly [string, unknown])[] = [];
  readonly #codex: RealCodex;
  readonly #peers: Peer[] = [];
  #process: ChildTransport | undefined;
  #listener: Listener | undefined;

  private constructor(model: MockResponses, codex: RealCodex) {
    this.model = model;
    this.#codex = codex;
    // This matcher sees every request as it comes, and takes none.
    model
      .when((request) => {
        this.asked.set(request, performance.now());
        return false;
      })
      .always(reply());
  }

  /** Prepares home, workspace and model; starts nothing else. */
  static async open(contestant: Contestant, { setup }: Scenario): Promise<Stage> {
    const model = await mockResponses();
    const codex = await realCodex(contestant.version, { model, ...setup });
    return new Stage(model, { ...codex, command: contestant.command ?? codex.command });
  }

  /** The server's home. */
  get home(): string {
    return this.#codex.home;
  }

  /** The server's working folder. */
  get cwd(): string {
    return this.#codex.cwd;
  }

  /** Starts a server process and connects over its stdio. */
  async connect(options: ConnectOptions = {}): Promise<Peer> {
    const { command, args, env, cwd } = this.#codex;
    this.#process = spawnTransport({
      command: options.codex === undefined ? command : await installCodex(options.codex),
      args: [...args, ...(options.flags ?? [])],
      env,
      cwd,
      shutdownMs: 5000,
    });
    return this.#introduce(this.#process, options);
  }

  /** Starts a server process that listens, in place of an earlier one. */
  async listen(options?: ListenOptions): Promise<Listener> {
    await this.#listener?.[Symbol.asyncDispose]();
    this.#listener = await listen(this.#codex, options);
    return this.#listener;
  }

  /** Connects to the server that listens; one is started if there is none. */
  async dial(options?: ConnectOptions): Promise<Peer> {
    const { url } = this.#listener ?? (await this.listen());
    return this.#introduce(await connectWebSocket(url), options);
  }

  /**
   * Runs the command once, by the name of `codex`, and notes its exit code and what it printed to be compared: JSON line by
   * line, other text as it is. Returns what it printed.
   */
  async command(args: readonly string[], options: CommandOptions = {}): Promise<CommandOutput> {
    const output = await this.run(args, options);
    const line = `codex ${args.join(" ")}`;
    this.observe(`${line}: exit code`, output.code);
    for (const [what, value] of observedOutput(output, options)) this.observe(`${line}: ${what}`, value);
    return output;
  }

  /** Runs the command once, by the name of `codex`. What it printed is not compared. */
  run(args: readonly string[], options: CommandOptions = {}): Promise<CommandOutput> {
    const { command, env, cwd, home } = this.#codex;
    return runCommandLine({ command, args, env, cwd, home }, options);
  }

  /** Notes something to be compared that goes over no connection. */
  observe(what: string, value: unknown): void {
    this.observations.push([what, value]);
  }

  /** Ends the newest process that speaks stdio, as a crash does. */
  async kill(): Promise<void> {
    const peer = this.#peers.at(-1);
    if (this.#process?.pid === undefined || !peer) throw new Error("No process to kill: connect first");
    process.kill(this.#process.pid, "SIGKILL");
    await eventually(() => peer.ended, { what: "the end of the connection" });
  }

  /** Waits until the server has said all it had to say. */
  async silence(ms: number = silenceMs): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.silence(ms)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.model.close();
    await Promise.all(this.#peers.map((peer) => peer.close()));
    await this.#listener?.[Symbol.asyncDispose]();
    await this.#codex[Symbol.asyncDispose]();
  }

  async #introduce(transport: ChildTransport | Awaited<ReturnType<typeof connectWebSocket>>, options?: ConnectOptions) {
    const peer = new Peer(String.fromCharCode(97 + this.#peers.length), transport, this.log);
    this.#peers.push(peer);
    const { capabilities = { experimentalApi: true } } = options ?? {};
    if (capabilities === false) return peer;
    const clientInfo = { name: "conformance", title: "Conformance", version: "1.0.0" };
    await peer.result("initialize", { clientInfo, ...(capabilities && { capabilities }) });
    peer.notify("initialized");
    return peer;
  }
}
