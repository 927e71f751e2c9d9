import type { HttpErrorReply } from "./http-error.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { type Reply, reply } from "./reply.ts";

/** An answer, or a function that makes one from the request. */
export type ScriptedReply =
  | Reply
  | HttpErrorReply
  | ((request: RecordedRequest, index: number) => Reply | HttpErrorReply | Promise<Reply | HttpErrorReply>);

/** A request matcher: a text or pattern in the user's last message, or a predicate. */
export type RequestMatcher = string | RegExp | ((request: RecordedRequest) => boolean);

interface Rule {
  readonly matches: (request: RecordedRequest) => boolean;
  readonly replies: ScriptedReply[];
  readonly always: boolean;
}

/** Decides which reply a request gets: the first rule with one left, then the queue, then the fallback. */
export class Script {
  readonly #queue: ScriptedReply[] = [];
  readonly #rules: Rule[] = [];
  fallback: ScriptedReply = () => reply().text("ok");

  enqueue(replies: readonly ScriptedReply[]): void {
    this.#queue.push(...replies);
  }

  addRule(matcher: RequestMatcher, replies: readonly ScriptedReply[], always: boolean): void {
    this.#rules.push({ matches: toPredicate(matcher), replies: [...replies], always });
  }

  /** Number of replies of the queue and of the rules that are not requested yet. */
  get remaining(): number {
    const ruled = this.#rules.filter((rule) => !rule.always).reduce((sum, rule) => sum + rule.replies.length, 0);
    return this.#queue.length + ruled;
  }

  /** Takes the reply for this request. The choice is made at once, so parallel requests never get the same one. */
  async next(request: RecordedRequest): Promise<Reply | HttpErrorReply> {
    const chosen = this.#choose(request);
    return typeof chosen === "function" ? await chosen(request, request.index) : chosen;
  }

  #choose(request: RecordedRequest): ScriptedReply {
    const rule = this.#rules.find((rule) => rule.replies.length > 0 && rule.matches(request));
    const ruled = rule?.always ? rule.replies[0] : rule?.replies.shift();
    return ruled ?? this.#queue.shift() ?? this.fallback;
  }
}

function toPredicate(matcher: RequestMatcher): (request: RecordedRequest) => boolean {
  if (typeof matcher === "function") return matcher;
  if (typeof matcher === "string") return (request) => request.lastUserText.includes(matcher);
  return (request) => matcher.test(request.lastUserText);
}
