import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { EnvironmentAddParams, EnvironmentInfoResponse, EnvironmentStatusResponse } from "@quire/protocol";
import { findShell } from "../process/shells.ts";
import { localEnvironment } from "./local-environment.ts";
import type { RemoteEnvironment } from "./remote-environment.ts";

const maxEnvironments = 256;

/** The environments of a server: this machine, and those that clients have added. Ends its connections when closed. */
export class Environments {
  readonly #remote = new Map<string, RemoteEnvironment>();
  readonly #onChange: (id: string, state: "connected" | "disconnected") => void;

  constructor(onChange: (id: string, state: "connected" | "disconnected") => void = () => undefined) {
    this.#onChange = onChange;
  }

  /** Replaces one of the same id. Does not connect yet. */
  async add(params: EnvironmentAddParams): Promise<void> {
    const { environmentId: id } = params;
    if (id === "" || id === localEnvironment) throw new Error(`\`${id}\` cannot be the id of an added environment`);
    if (!/^wss?:\/\//.test(params.execServerUrl))
      throw new Error(`exec-server url must begin with ws:// or wss://: ${params.execServerUrl}`);
    const before = this.#remote.get(id);
    if (!before && this.#remote.size >= maxEnvironments)
      throw new Error(`there are ${maxEnvironments} environments already; restart the server to remove some`);
    const { RemoteEnvironment } = await import("./remote-environment.ts");
    await before?.close();
    this.#remote.set(id, new RemoteEnvironment(params, (state) => this.#onChange(id, state)));
  }

  has(id: string): boolean {
    return id === localEnvironment || this.#remote.has(id);
  }

  /** An added environment; `undefined` for this machine. */
  remote(id: string): RemoteEnvironment | undefined {
    return this.#remote.get(id);
  }

  async info(id: string): Promise<EnvironmentInfoResponse> {
    const remote = this.#remote.get(id);
    if (remote) return remote.info();
    const path = findShell();
    return { shell: { name: basename(path), path }, cwd: pathToFileURL(process.cwd()).href };
  }

  async status(id: string): Promise<EnvironmentStatusResponse> {
    return (await this.#remote.get(id)?.status()) ?? { status: "ready" };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#remote.values()].map((each) => each.close()));
  }
}
