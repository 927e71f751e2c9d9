import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyMethods, Connection } from "@quire/jsonrpc";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import type { EnvironmentAddParams, EnvironmentInfoResponse, EnvironmentStatusResponse } from "@quire/protocol";
import { findShell } from "../exec/shells.ts";

/** The environment that is this machine. */
const localEnvironment = "local";

/** How long an exec-server may take to be reached unless the client says otherwise. */
const defaultConnectMs = 10_000;
/** Environments that are remembered at most. */
const maxEnvironments = 256;

/** A place where commands could run, behind an exec-server. Connects when it is first asked for. */
class RemoteEnvironment {
  readonly #params: EnvironmentAddParams;
  #connecting: Promise<Connection<AnyMethods>> | undefined;

  constructor(params: EnvironmentAddParams) {
    this.#params = params;
  }

  async info(): Promise<EnvironmentInfoResponse> {
    const connection = await this.#connected();
    const answer = (await connection.request("environment/info", {})) as EnvironmentInfoResponse;
    return { shell: { name: String(answer.shell?.name), path: String(answer.shell?.path) }, cwd: answer.cwd ?? null };
  }

  async status(): Promise<EnvironmentStatusResponse> {
    try {
      await this.#connected();
      return { status: "ready" };
    } catch (error) {
      return { status: "disconnected", error: words(error) };
    }
  }

  async close(): Promise<void> {
    await (await this.#connecting?.catch(() => undefined))?.close();
  }

  async #connected(): Promise<Connection<AnyMethods>> {
    // A connection that ended, or never was, is tried again by the next who asks.
    const known = await this.#connecting?.catch(() => undefined);
    if (known?.open) return known;
    this.#connecting = this.#connect();
    return this.#connecting;
  }

  async #connect(): Promise<Connection<AnyMethods>> {
    const { execServerUrl, authBearerToken, connectTimeoutMs } = this.#params;
    const signal = AbortSignal.timeout(connectTimeoutMs ?? defaultConnectMs);
    const headers = authBearerToken ? { authorization: `Bearer ${authBearerToken}` } : {};
    const transport = await connectWebSocket(execServerUrl, { headers, signal });
    const connection = new Connection<AnyMethods>(transport);
    try {
      await connection.request("initialize", { clientName: "quire" }, { signal });
      connection.notify("initialized", {});
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }
}

/** The environments of a server: this machine, and those that clients have added. Ends its connections when closed. */
export class Environments {
  readonly #remote = new Map<string, RemoteEnvironment>();

  /** Replaces one of the same id. Connects to nothing yet. */
  async add(params: EnvironmentAddParams): Promise<void> {
    if (params.environmentId === "" || params.environmentId === localEnvironment)
      throw new Error(`\`${params.environmentId}\` cannot be the id of an added environment`);
    if (!/^wss?:\/\//.test(params.execServerUrl))
      throw new Error(`exec-server url must begin with ws:// or wss://: ${params.execServerUrl}`);
    const before = this.#remote.get(params.environmentId);
    if (!before && this.#remote.size >= maxEnvironments)
      throw new Error(`there are ${maxEnvironments} environments already`);
    await before?.close();
    this.#remote.set(params.environmentId, new RemoteEnvironment(params));
  }

  has(id: string): boolean {
    return id === localEnvironment || this.#remote.has(id);
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

/** What went wrong, in words. */
export const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
