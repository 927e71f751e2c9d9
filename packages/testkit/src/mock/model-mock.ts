import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Arrivals } from "../lib/arrivals.ts";
import { type HttpErrorReply, httpError } from "./http-error.ts";
import { RecordedRequest, type RequestEnd } from "./recorded-request.ts";
import { Reply } from "./reply.ts";
import { type RequestMatcher, Script, type ScriptedReply } from "./script.ts";
import { sendHttpError, streamReply } from "./send-reply.ts";
import type { SentRequest, Wire } from "./wire.ts";

/** Options of a {@link ModelMock}. */
export interface ModelMockOptions {
  /** The answer once the script has run out. Default: the text `ok`. Pass `httpError(500)` to make that an error. */
  readonly fallback?: ScriptedReply;
  /** Names that `GET /v1/models` lists. Default: `mock-model`. */
  readonly models?: readonly string[];
}

/** The replies of requests that a matcher chose; made by {@link ModelMock.when}. */
export interface WhenClause<Mock> {
  /** Answers the matching requests with these, in order; after the last, the rest of the script applies. */
  reply(...replies: ScriptedReply[]): Mock;
  /** Answers every matching request with this. */
  always(reply: ScriptedReply): Mock;
}

/**
 * A model behind HTTP that says what the test wrote down, and remembers what it was asked.
 * Listens on 127.0.0.1 on a port of its own until it is closed.
 */
export class ModelMock implements AsyncDisposable {
  /** Requests to anything else than the model or the list of models, e.g. `GET /v1/files`; answered with 404. */
  readonly unknown: string[] = [];
  /** Messages of the requests that the mock refused because its API does not accept them; they take no reply. */
  readonly refused: string[] = [];
  readonly #wire: Wire;
  readonly #script = new Script();
  readonly #models: readonly string[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #requests = new Arrivals<RecordedRequest>();
  readonly #closing: Promise<void>;
  #announceClose: () => void = () => {};
  #closed: Promise<void> | undefined;
  #ids = 0;

  /** Use the function of the API, such as `mockResponses`, which also waits until the server listens. */
  constructor(wire: Wire, options: ModelMockOptions = {}) {
    this.#wire = wire;
    this.#models = options.models ?? ["mock-model"];
    if (options.fallback) this.#script.fallback = options.fallback;
    this.#closing = new Promise((resolve) => {
      this.#announceClose = resolve;
    });
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        console.error("A scripted reply threw while it was streamed:", error);
        response.destroy();
      });
    });
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  /** Begins to listen. */
  listen(): Promise<this> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", () => resolve(this));
    });
  }

  /** The `base_url` for a model provider: `http://127.0.0.1:PORT/v1`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Adds replies to the queue; each request takes the next one. */
  script(...replies: ScriptedReply[]): this {
    this.#script.enqueue(replies);
    return this;
  }

  /** Chooses requests by what they ask, for threads that run in parallel. Goes before the queue. */
  when(matcher: RequestMatcher): WhenClause<this> {
    const add = (replies: readonly ScriptedReply[], always: boolean) => {
      this.#script.addRule(matcher, replies, always);
      return this;
    };
    return { reply: (...replies) => add(replies, false), always: (reply) => add([reply], true) };
  }

  /** Sets the answer for when the script has run out. */
  fallback(reply: ScriptedReply): this {
    this.#script.fallback = reply;
    return this;
  }

  /** An error in the words of this API: `mock.script(mock.error(429, "Slow down", { "retry-after": "1" }))`. */
  error(status: number, message: string, headers?: Readonly<Record<string, string>>): HttpErrorReply {
    return this.#wire.error(status, message, headers);
  }

  /** Every model request so far, in order of arrival. */
  get requests(): readonly RecordedRequest[] {
    return this.#requests.all;
  }

  /** Number of scripted replies not requested yet. A test that ends with more than 0 did less than it meant to. */
  get remaining(): number {
    return this.#script.remaining;
  }

  /** The newest request. Throws when there is none. */
  get last(): RecordedRequest {
    const last = this.requests.at(-1);
    if (!last) throw new Error("The model was not asked anything yet");
    return last;
  }

  /** Waits for `requests[index]`; the first is 0. */
  waitForRequest(index: number, options: { readonly timeoutMs?: number } = {}): Promise<RecordedRequest> {
    return this.waitFor((request) => request.index === index, options);
  }

  /** Waits for the first request, past or to come, of which `matches` holds. */
  waitFor(
    matches: (request: RecordedRequest) => boolean,
    options: { readonly timeoutMs?: number } = {},
  ): Promise<RecordedRequest> {
    const complain = () => `no such model request, ${this.requests.length} others arrived`;
    return this.#requests.waitFor((all) => all.find(matches), complain, options);
  }

  /** Stops listening and drops every open stream, also those held by a gate. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve) => {
      this.#announceClose();
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://mock").pathname.replace(/^\/v1(?:beta)?(?=\/)/, "");
    if (request.method === "POST" && this.#wire.handles(path)) return this.#answer(path, request, response);
    if (request.method === "GET" && path === "/models") return sendModels(response, this.#models);
    this.unknown.push(`${request.method} ${request.url}`);
    sendHttpError(response, httpError(404));
  }

  async #answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    let isSent = false;
    const ended = new Promise<RequestEnd>((resolve) =>
      response.once("close", () => resolve(isSent ? "sent" : "aborted")),
    );
    const body = await readBody(request);
    if (!body) return sendHttpError(response, this.error(400, "The body is no JSON object"));
    const sent: SentRequest = { path, headers: request.headers, body };
    const view = this.#wire.read(sent);
    const recorded = new RecordedRequest(this.requests.length, sent, view, ended);
    this.#requests.add(recorded);
    const onSent = () => {
      isSent = true;
    };
    const refusal = this.#wire.check(sent);
    if (refusal) this.refused.push(refusal.body);
    const reply = refusal ?? (await this.#next(recorded));
    if (reply instanceof Reply) {
      const id = (prefix: string) => `${prefix}_${++this.#ids}`;
      const pieces = this.#wire.play(reply.script, { id, sent, model: view.model });
      await streamReply(response, { pieces, headers: reply.httpHeaders }, { closing: this.#closing, onSent });
    } else {
      onSent();
      sendHttpError(response, reply);
    }
  }

  async #next(recorded: RecordedRequest): Promise<Reply | HttpErrorReply> {
    return await this.#script.next(recorded).catch((error: unknown) => httpError(500, `The script threw: ${error}`));
  }
}

async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>> | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (typeof body !== "object" || body === null) return undefined;
    return { ...body };
  } catch {
    return undefined;
  }
}

/** `data` is what the API sends; `models`, empty, is what Codex reads its own catalogue from. */
function sendModels(response: ServerResponse, models: readonly string[]): void {
  const data = models.map((id) => ({ id, object: "model", created: 0, owned_by: "mock" }));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ object: "list", data, models: [] }));
}
