import { eventually } from "@quire/testkit";
import { stepMs } from "./stage.ts";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: unknown };
}

/** One thing that an agent told of its session. */
export interface SessionUpdate {
  readonly sessionUpdate: string;
  readonly [field: string]: unknown;
}

/** What an agent asks leave for. */
export interface PermissionRequest {
  readonly toolCall: { readonly [field: string]: unknown };
  readonly options: readonly { readonly optionId: string; readonly kind: string; readonly name: string }[];
}

/** An editor that speaks the Agent Client Protocol, and the agent that it started. Disposing ends the agent. */
export class AcpEditor implements AsyncDisposable {
  readonly updates: SessionUpdate[] = [];
  readonly asked: PermissionRequest[] = [];
  /** Chooses an option for what is asked, by its kind. */
  decide: (request: PermissionRequest) => string = () => "reject_once";
  readonly #child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #waiting = new Map<number, ReturnType<typeof Promise.withResolvers<unknown>>>();
  #said = "";
  #next = 0;

  constructor(command: readonly string[], env: Readonly<Record<string, string>>, cwd: string) {
    this.#child = Bun.spawn([...command], { env: { ...env }, cwd, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    void this.#read();
    void new Response(this.#child.stderr).text().then((text) => {
      this.#said = text;
    });
    void this.#child.exited.then((code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`The agent ended with ${code}: ${this.#said}`));
    });
  }

  /** Asks the agent. */
  request<T>(method: string, params: object): Promise<T> {
    const id = this.#next++;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    this.#send({ id, method, params });
    return answer.promise as Promise<T>;
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** The text that the agent has said. */
  get text(): string {
    const said = this.updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
    return said.map(({ content }) => (content as { text?: string }).text ?? "").join("");
  }

  /** Waits for an update. */
  async until(found: (update: SessionUpdate) => boolean): Promise<SessionUpdate> {
    return eventually(() => this.updates.find(found), { timeoutMs: stepMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#child.exited;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of this.#child.stdout) {
      rest += decoder.decode(bytes, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") this.#take(JSON.parse(line) as Message);
    }
  }

  #take({ id, method, params, result, error }: Message): void {
    if (method === "session/update") this.updates.push(params?.update as SessionUpdate);
    else if (method === "session/request_permission") this.#answer(id, params as unknown as PermissionRequest);
    else if (method === undefined && typeof id === "number") {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(`${error.message} ${JSON.stringify(error.data)}`));
      else waiting?.resolve(result);
    }
  }

  #answer(id: Message["id"], request: PermissionRequest): void {
    this.asked.push(request);
    const kind = this.decide(request);
    const optionId = request.options.find((option) => option.kind === kind)?.optionId;
    this.#send({ id, result: { outcome: optionId ? { outcome: "selected", optionId } : { outcome: "cancelled" } } });
  }

  #send(message: object): void {
    void this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    void this.#child.stdin.flush();
  }
}
