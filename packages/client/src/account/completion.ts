import type { ServerNotifications } from "@quire/protocol";
import { onEnded } from "../on-ended.ts";
import type { ServerPort } from "../server-port.ts";

/** Notifications that report the end of something that another request began. */
export type CompletionMethod = "account/login/completed" | "mcpServer/oauthLogin/completed";

/** Of what arrives before it can be told whose it is, this much is kept. */
const maxEarly = 100;

/** Waits for a notification that may come before the reply which says how to recognise it. */
export class Completion<M extends CompletionMethod> {
  /** Settles once. Its rejection needs no handler. */
  readonly settled: Promise<ServerNotifications[M]>;
  readonly #stopListening: () => void;
  #resolve!: (params: ServerNotifications[M]) => void;
  #reject!: (error: unknown) => void;
  #early: ServerNotifications[M][] = [];
  #isMine: ((params: ServerNotifications[M]) => boolean) | undefined;

  /** Listens from now on. Make it before the request. */
  constructor(port: ServerPort, method: M) {
    this.settled = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.settled.catch(() => undefined);
    const stops = [
      port.onNotification(method, (params) => this.#see(params)),
      onEnded(port, (error) => this.fail(error)),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
  }

  /** Says which one is meant. */
  expect(isMine: (params: ServerNotifications[M]) => boolean): void {
    this.#isMine = isMine;
    for (const params of this.#early.splice(0)) this.#see(params);
  }

  /** Forgets about it: nobody waits. */
  stop(): void {
    this.#stopListening();
  }

  /** Gives up. */
  fail(error: unknown): void {
    this.#stopListening();
    this.#reject(error);
  }

  #see(params: ServerNotifications[M]): void {
    if (this.#isMine === undefined) {
      if (this.#early.length < maxEarly) this.#early.push(params);
    } else if (this.#isMine(params)) {
      this.#stopListening();
      this.#resolve(params);
    }
  }
}
