import type { ServerNotifications } from "@quire/protocol";
import { onEnded } from "../port/on-ended.ts";
import type { ServerPort } from "../port/server-port.ts";
import { LoginError } from "./login-error.ts";

/** Notifications that report the end of a login that a request began. */
export type CompletionMethod = "account/login/completed" | "mcpServer/oauthLogin/completed";

/** The notifications that end a login. */
export interface Expected<M extends CompletionMethod> {
  /** Recognises its completion. */
  isMine(params: ServerNotifications[M]): boolean;
  readonly loginId: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called when the signal aborts. */
  onAbort?(): void;
}

/** The number of notifications kept until their login is known. */
const maxEarly = 100;

/** Waits for a notification that may come before the reply which says how to recognise it. */
export class Completion<M extends CompletionMethod> {
  readonly #stops: (() => void)[];
  readonly #settled: Promise<ServerNotifications[M]>;
  #resolve!: (params: ServerNotifications[M]) => void;
  #reject!: (error: unknown) => void;
  #early: ServerNotifications[M][] = [];
  #expected: Expected<M> | undefined;

  /** Listens from now on. Make it before the request. */
  constructor(port: ServerPort, method: M) {
    this.#settled = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#settled.catch(() => undefined);
    this.#stops = [
      port.onNotification(method, (params) => this.#see(params)),
      onEnded(port, (error) => this.fail(error)),
    ];
  }

  /**
   * Says which one is meant, and gives it when it comes. Rejects with a {@link LoginError} when it tells of a failure, and
   * with the signal's reason. A login that nobody awaits must not end the program: its rejection needs no handler.
   */
  expect(expected: Expected<M>): Promise<ServerNotifications[M]> {
    const { signal, onAbort, loginId } = expected;
    const abort = () => {
      this.fail(signal?.reason);
      onAbort?.();
    };
    this.#stops.push(() => signal?.removeEventListener("abort", abort));
    this.#expected = expected;
    for (const params of this.#early.splice(0)) this.#see(params);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
    const completed = this.#settled.then((params) => {
      if (!params.success) throw new LoginError(params.error ?? "The login failed", loginId);
      return params;
    });
    completed.catch(() => undefined);
    return completed;
  }

  /** Forgets about it: nobody waits. */
  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Gives up. */
  fail(error: unknown): void {
    this.stop();
    this.#reject(error);
  }

  #see(params: ServerNotifications[M]): void {
    if (this.#expected === undefined) {
      if (this.#early.length < maxEarly) this.#early.push(params);
    } else if (this.#expected.isMine(params)) {
      this.stop();
      this.#resolve(params);
    }
  }
}
