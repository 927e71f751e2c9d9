import { type AnyMethods, Connection } from "@quire/jsonrpc";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import type { EnvironmentAddParams, EnvironmentInfoResponse, EnvironmentStatusResponse } from "@quire/protocol";
import { errorMessage } from "../../lib/error-message.ts";
import type { StartOptions } from "../process/running-process.ts";
import { RemoteProcess } from "./remote-process.ts";

/** Default time for connecting to an exec-server. */
const defaultConnectMs = 10_000;
/** First and longest pause between attempts to reconnect. */
const firstRetryMs = 250;
const longestRetryMs = 10_000;

/** Called when a connected environment is lost, and when it is back. */
export type OnChange = (state: "connected" | "disconnected") => void;

/** An environment behind an exec-server. Connects on first use; its creator closes it. */
export class RemoteEnvironment {
  readonly #params: EnvironmentAddParams;
  readonly #onChange: OnChange;
  readonly #processes = new Map<string, RemoteProcess>();
  #connecting: Promise<Connection<AnyMethods>> | undefined;
  /** Set while a lost connection waits for its next attempt. */
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;
  #closed = false;

  constructor(params: EnvironmentAddParams, onChange: OnChange = () => undefined) {
    this.#params = params;
    this.#onChange = onChange;
  }

  async info(): Promise<EnvironmentInfoResponse> {
    const connection = await this.connected();
    const answer = (await connection.request("environment/info", {})) as EnvironmentInfoResponse;
    return { shell: { name: String(answer.shell?.name), path: String(answer.shell?.path) }, cwd: answer.cwd ?? null };
  }

  async status(): Promise<EnvironmentStatusResponse> {
    try {
      await this.connected();
      return { status: "ready" };
    } catch (error) {
      return { status: "disconnected", error: errorMessage(error) };
    }
  }

  /** Starts a command there. A failure to start becomes its output. */
  start(options: Omit<StartOptions, "tag">): RemoteProcess {
    const started = new RemoteProcess(() => this.connected(), options);
    this.#processes.set(started.id, started);
    void started.exited.then(() => this.#processes.delete(started.id));
    return started;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await (await this.#connecting?.catch(() => undefined))?.close();
  }

  /** The connection, opened again when needed. */
  async connected(): Promise<Connection<AnyMethods>> {
    const known = await this.#connecting?.catch(() => undefined);
    if (known?.open) return known;
    clearTimeout(this.#retry);
    this.#connecting = this.#connect();
    return this.#connecting;
  }

  async #connect(): Promise<Connection<AnyMethods>> {
    const { execServerUrl, authBearerToken, connectTimeoutMs } = this.#params;
    const signal = AbortSignal.timeout(connectTimeoutMs ?? defaultConnectMs);
    const headers = authBearerToken ? { authorization: `Bearer ${authBearerToken}` } : {};
    const transport = await connectWebSocket(execServerUrl, { headers, signal });
    const connection = new Connection<AnyMethods>(transport, { onClose: () => this.#left(connection) });
    for (const method of ["process/output", "process/exited", "process/closed"]) {
      connection.on(method, (params) => {
        const { processId } = params as { readonly processId?: string };
        this.#processes.get(processId ?? "")?.notified(method, params);
      });
    }
    try {
      await connection.request("initialize", { clientName: "quire" }, { signal });
      connection.notify("initialized", {});
    } catch (error) {
      await connection.close();
      throw error;
    }
    if (this.#isGone) {
      this.#isGone = false;
      this.#onChange("connected");
    }
    this.#reached = connection;
    return connection;
  }

  #reached: Connection<AnyMethods> | undefined;

  #left(connection: Connection<AnyMethods>): void {
    if (this.#reached !== connection) return;
    this.#reached = undefined;
    for (const running of this.#processes.values()) running.lost();
    if (this.#closed) return;
    this.#isGone = true;
    this.#onChange("disconnected");
    this.#again(firstRetryMs);
  }

  #again(ms: number): void {
    this.#retry = setTimeout(() => {
      void this.connected().catch(() => {
        if (!this.#closed) this.#again(Math.min(ms * 2, longestRetryMs));
      });
    }, ms);
    this.#retry.unref?.();
  }
}
