import type { ApprovalDecision } from "../questions/answer.ts";
import type { Approvals } from "../questions/approvals.ts";
import type { StartOptions } from "../thread/start-params.ts";
import type { ThreadHandle } from "../thread/thread-handle.ts";
import type { InputItem } from "../turn/turn-input.ts";
import { Refusal, readJson, refuseOtherSites } from "./guard.ts";
import { readInput, readUiMessages } from "./read-input.ts";
import { eventStream } from "./sse.ts";
import { type ShelvedTurn, TurnShelf } from "./turn-shelf.ts";
import { turnSource } from "./turn-source.ts";
import { uiHeaders, uiSource } from "./ui-source.ts";

/** The parts of a client that a handler needs; a `CodexClient` has them. */
export interface HandlerClient {
  thread(options?: StartOptions): Promise<ThreadHandle>;
  handle(threadId: string): ThreadHandle;
}

/** Options of a handler. */
export interface HandlerOptions {
  /**
   * The user of a request, by your own session or token; `null` refuses it. A user reaches the threads that they have
   * started here, and no others.
   */
  readonly user: (request: Request) => string | null | Promise<string | null>;
  /** Settings of new threads. A page cannot change them. */
  readonly thread?: StartOptions | undefined;
  /** Approvals that users may answer: those of their own threads. Without them, the client's `onApproval` decides. */
  readonly approvals?: Approvals | undefined;
  /** Lets a user have a thread that they have not started here, such as a stored one that your code has resumed. */
  readonly mayUse?: ((user: string, threadId: string) => boolean | Promise<boolean>) | undefined;
  /** The turns that a user may have running at a time; more are refused with 429. Default 8. */
  readonly maxRunning?: number | undefined;
  /** The path below which it is served, such as `/api/codex`. Default: the root. */
  readonly basePath?: string | undefined;
  /** Sees what goes wrong within; pages do not. Default: `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Origins of pages besides this server's own. */
  readonly origins?: readonly string[] | undefined;
}

/**
 * Serves a client's threads to web pages: a function from `Request` to `Response`, as Hono, Next, Bun and Deno take it.
 * Turns are streams of server-sent events that a page can take up again after a lost connection; `/chat` speaks the AI
 * SDK's protocol of UI messages. Nothing is served without a user, and nothing to pages of other sites.
 */
export function createHandler(client: HandlerClient, options: HandlerOptions): (request: Request) => Promise<Response> {
  const handler = new Handler(client, options);
  return (request) => handler.serve(request);
}

class Handler {
  readonly #client: HandlerClient;
  readonly #options: HandlerOptions;
  readonly #shelf = new TurnShelf();
  /** The number of turns that are being started, by user: requests at the same time count, too. */
  readonly #starting = new Map<string, number>();
  /** Users by the threads that they have started. */
  readonly #owners = new Map<string, string>();
  /** Threads of the AI SDK's chats, by user and chat. */
  readonly #chats = new Map<string, Promise<ThreadHandle>>();

  constructor(client: HandlerClient, options: HandlerOptions) {
    if (typeof options?.user !== "function") throw new TypeError("createHandler() needs `user`: who sends a request?");
    this.#client = client;
    this.#options = options;
  }

  async serve(request: Request): Promise<Response> {
    try {
      refuseOtherSites(request, this.#options.origins ?? []);
      const user = await this.#options.user(request);
      if (user === null || user === undefined || user === "") throw new Refusal(401, "Log in first");
      return await this.#route(request, String(user));
    } catch (error) {
      if (error instanceof Refusal) return json({ error: error.message }, error.status);
      // What went wrong may name files and addresses of the server: it is not for pages.
      (this.#options.onError ?? console.error)(error);
      return json({ error: "The server failed; its log says why" }, 500);
    }
  }

  async #route(request: Request, user: string): Promise<Response> {
    const { basePath = "" } = this.#options;
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length + 1) : "";
    const [resource, id = "", part, turnId = "", action] = path.split("/").map(decoded);
    const route = [request.method, resource, id && ":id", part, turnId && ":turn", action].filter(Boolean).join(" ");
    switch (route) {
      case "POST threads":
        await readJson(request);
        return json({ threadId: (await this.#start(user)).id });
      case "POST threads :id turns":
        return this.#run(request, user, await this.#thread(user, id));
      case "GET threads :id turns :turn":
        await this.#thread(user, id);
        return this.#resume(request, id, turnId);
      case "POST threads :id turns :turn interrupt":
        await this.#thread(user, id);
        await this.#find(id, turnId).turn.interrupt();
        return json({});
      case "GET approvals":
        return json(await this.#open(user));
      case "POST approvals :id":
        return this.#answer(request, user, id);
      case "POST chat":
        return this.#chat(request, user);
      case "GET chat :id stream":
        return this.#resumeChat(user, id);
      default:
        throw new Refusal(404, "There is nothing here");
    }
  }

  async #start(user: string): Promise<ThreadHandle> {
    const thread = await this.#client.thread(this.#options.thread);
    remember(this.#owners, thread.id, user);
    return thread;
  }

  /** A thread of the user. Whether another's exists is not said. */
  async #thread(user: string, id: string): Promise<ThreadHandle> {
    if (!(await this.#mayUse(user, id))) throw new Refusal(404, "You have no such thread");
    return this.#client.handle(id);
  }

  async #mayUse(user: string, id: string): Promise<boolean> {
    return this.#owners.get(id) === user || (await this.#options.mayUse?.(user, id)) === true;
  }

  async #begin(user: string, thread: ThreadHandle, input: InputItem[]): Promise<ShelvedTurn> {
    const { maxRunning = 8 } = this.#options;
    const starting = this.#starting.get(user) ?? 0;
    if (starting + this.#shelf.runningOf(user) >= maxRunning)
      throw new Refusal(429, `${maxRunning} of your turns are running: wait for one, or stop it`);
    this.#starting.set(user, starting + 1);
    try {
      const turn = thread.stream(input);
      const shelved = { id: await turn.id, threadId: thread.id, user, turn };
      this.#shelf.add(shelved);
      return shelved;
    } finally {
      const left = (this.#starting.get(user) ?? 1) - 1;
      if (left > 0) this.#starting.set(user, left);
      else this.#starting.delete(user);
    }
  }

  async #run(request: Request, user: string, thread: ThreadHandle): Promise<Response> {
    const { input } = await readJson(request);
    const shelved = await this.#begin(user, thread, readInput(input));
    return eventStream(turnSource(shelved, { approvals: this.#options.approvals, after: 0 }));
  }

  #resume(request: Request, threadId: string, turnId: string): Response {
    const last = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after") ?? "0";
    const after = Number(last);
    if (!Number.isSafeInteger(after) || after < 0)
      throw new Refusal(400, "`Last-Event-ID` is not a number of an event");
    const shelved = this.#find(threadId, turnId);
    return eventStream(turnSource(shelved, { approvals: this.#options.approvals, after }));
  }

  #find(threadId: string, turnId: string): ShelvedTurn {
    const shelved = this.#shelf.find(threadId, turnId);
    if (!shelved) throw new Refusal(404, "The turn is over, or was not started here: read the thread");
    return shelved;
  }

  async #open(user: string): Promise<unknown> {
    const open = this.#options.approvals?.snapshot() ?? [];
    const mine = await Promise.all(open.map(({ threadId }) => this.#mayUse(user, threadId)));
    return open.filter((_, index) => mine[index]);
  }

  async #answer(request: Request, user: string, id: string): Promise<Response> {
    const { decision } = await readJson(request);
    const { approvals } = this.#options;
    const approval = approvals?.snapshot().find((each) => each.id === id);
    const isMine = approval !== undefined && (await this.#mayUse(user, approval.threadId));
    if (!isMine || !approvals?.answer(id, decision as ApprovalDecision))
      throw new Refusal(409, "The approval is not open any more, or `decision` is none");
    return json({});
  }

  async #chat(request: Request, user: string): Promise<Response> {
    const { id, messages } = await readJson(request);
    if (typeof id !== "string" || id === "") throw new Refusal(400, "A chat has an `id`");
    const input = readUiMessages(messages);
    const name = chatName(user, id);
    let thread = this.#chats.get(name);
    if (!thread) {
      thread = this.#start(user);
      remember(this.#chats, name, thread);
      thread.catch(() => this.#chats.delete(name));
    }
    const shelved = await this.#begin(user, await thread, input);
    return eventStream(uiSource(shelved, this.#options.approvals), uiHeaders);
  }

  /** As the AI SDK asks for it: 204 where nothing runs. */
  async #resumeChat(user: string, id: string): Promise<Response> {
    const thread = await this.#chats.get(chatName(user, id));
    const running = thread && this.#shelf.running(thread.id);
    if (!running) return new Response(null, { status: 204 });
    return eventStream(uiSource(running, this.#options.approvals), uiHeaders);
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, "The address is not encoded as it should be");
  }
}

/** The most threads and chats that are known; beyond it the oldest are forgotten, and `mayUse` decides over their threads. */
const maxKnown = 100_000;

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.size >= maxKnown ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

const chatName = (user: string, chat: string): string => JSON.stringify([user, chat]);

function json(value: unknown, status = 200): Response {
  return Response.json(value, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}
