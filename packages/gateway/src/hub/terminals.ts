import type { NotificationMessage } from "@quire/jsonrpc";
import { ErrorCode, RpcError } from "@quire/jsonrpc";
import { type TerminalInfo, type TerminalOutput, terminalMethods } from "@quire/protocol/gateway";

/** Terminals of a hub, and characters of a terminal's output (base64) that are kept for pages that come later. */
const limits = { terminals: 16, kept: 700_000 } as const;

/** The way to the server and to all pages. */
export interface TerminalHost {
  /** Undefined while there is no connection. */
  request(method: string, params: unknown): Promise<unknown> | undefined;
  broadcast(message: NotificationMessage): void;
}

interface Terminal {
  info: TerminalInfo;
  readonly output: string[];
  size: number;
}

/**
 * Shells that outlive the page that opened them: they end with the server's connection or when somebody ends them. Input
 * and size go to the server by its own methods, and new output to every page.
 */
export class Terminals {
  readonly #byId = new Map<string, Terminal>();
  readonly #host: TerminalHost;

  constructor(host: TerminalHost) {
    this.#host = host;
  }

  /** Answers a request; throws an RpcError where it cannot. */
  serve(method: string, params: unknown): object {
    const { threadId, exec, processId } = (params ?? {}) as Record<string, unknown>;
    if (method === terminalMethods.list) return { terminals: this.#infos };
    if (method === terminalMethods.open) return this.#open(threadId, exec);
    const terminal = typeof processId === "string" ? this.#byId.get(processId) : undefined;
    if (terminal === undefined) throw invalid("There is no such terminal any more");
    if (method === terminalMethods.attach) {
      return { output: terminal.output, ended: terminal.info.ended } satisfies TerminalOutput;
    }
    if (method !== terminalMethods.close) throw new RpcError({ code: ErrorCode.methodNotFound, message: method });
    const { ended } = terminal.info;
    if (ended === null) this.#host.request("command/exec/terminate", { processId })?.catch(() => undefined);
    this.#byId.delete(terminal.info.processId);
    this.#changed();
    return {};
  }

  /** Keeps the output of terminals. */
  take({ method, params }: NotificationMessage): void {
    if (method !== "command/exec/outputDelta") return;
    const { processId, deltaBase64 } = (params ?? {}) as Record<string, unknown>;
    const terminal = this.#byId.get(String(processId));
    // Empty pieces would be kept without end.
    if (terminal === undefined || typeof deltaBase64 !== "string" || deltaBase64 === "") return;
    const piece = deltaBase64.length > limits.kept ? deltaBase64.slice(-limits.kept) : deltaBase64;
    terminal.output.push(piece);
    terminal.size += piece.length;
    while (terminal.size > limits.kept && terminal.output.length > 1) {
      terminal.size -= terminal.output.shift()?.length ?? 0;
    }
  }

  /** Forgets all: they ended with the connection. */
  clear(): void {
    if (this.#byId.size === 0) return;
    this.#byId.clear();
    this.#changed();
  }

  get #infos(): readonly TerminalInfo[] {
    return [...this.#byId.values()].map(({ info }) => info);
  }

  #open(threadId: unknown, exec: unknown): object {
    const { processId, cwd } = (exec ?? {}) as Record<string, unknown>;
    if (typeof threadId !== "string" || typeof processId !== "string" || processId.length > 100) {
      throw invalid("A terminal needs a threadId and a processId");
    }
    if (this.#byId.has(processId)) throw invalid("A terminal with this processId is open already");
    if (this.#byId.size >= limits.terminals) {
      throw invalid(`${limits.terminals} terminals are open. End one first.`);
    }
    const running = this.#host.request("command/exec", exec);
    if (running === undefined) throw invalid("The server is not connected");
    const info: TerminalInfo = { processId, threadId, cwd: typeof cwd === "string" ? cwd : null, ended: null };
    this.#byId.set(processId, { info, output: [], size: 0 });
    running.then(
      (result) => {
        const { exitCode } = (result ?? {}) as Record<string, unknown>;
        this.#ended(processId, { exitCode: typeof exitCode === "number" ? exitCode : null, error: null });
      },
      (error: unknown) => this.#ended(processId, { exitCode: null, error: (error as Error).message }),
    );
    this.#changed();
    return {};
  }

  #ended(processId: string, ended: NonNullable<TerminalInfo["ended"]>): void {
    const terminal = this.#byId.get(processId);
    if (terminal === undefined) return;
    terminal.info = { ...terminal.info, ended };
    this.#changed();
  }

  #changed(): void {
    this.#host.broadcast({ method: terminalMethods.changed, params: { terminals: this.#infos } });
  }
}

const invalid = (message: string): RpcError => new RpcError({ code: ErrorCode.invalidParams, message });
