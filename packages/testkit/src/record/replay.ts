import type { RequestId, Transport, TransportSink } from "@quire/jsonrpc";
import type { Recording, Side } from "./recording.ts";
import { idKey, type Parsed, parseWire, withId } from "./wire.ts";

/** The client's end of a replayed connection. */
export interface ReplayTransport extends Transport {
  /** Messages that the client has sent so far. */
  readonly received: readonly string[];
  /** The message of the client for which the recording waits, e.g. `request turn/start`; `undefined` at the end. */
  readonly waitingFor: string | undefined;
}

/**
 * Plays a recording as the server: give the returned transport to a client.
 *
 * What the server said is said again in the recorded order. Before each message that the client had sent, the play
 * waits until the client sends one like it: a request of the same method, or the answer to the same server request.
 * Its notifications are not waited for. Replies carry the ids of the requests that came in now. A request that the
 * recording does not hold (any more) is answered with error -32601.
 */
export function replay(recording: Recording): ReplayTransport {
  return new Replayer(recording);
}

type Step = Parsed & { readonly from: Side; readonly text: string };

class Replayer implements ReplayTransport {
  readonly received: string[] = [];
  readonly #steps: readonly Step[];
  #next = 0;
  /** Requests that came in and whose place in the recording is not reached yet. */
  readonly #requests: { readonly id: RequestId; readonly method: string }[] = [];
  /** Ids of server requests that the client has answered, likewise. */
  readonly #answers: string[] = [];
  /** Recorded id of a client request to its id of now. */
  readonly #ids = new Map<string, RequestId>();
  #refusals: string[] = [];
  #sink: TransportSink | undefined;
  #paused = false;
  #scheduled = false;
  #ended = false;

  constructor(recording: Recording) {
    this.#steps = recording.map(({ from, text }) => ({ from, text, ...parseWire(text) }));
  }

  readonly buffered = 0;

  get waitingFor(): string | undefined {
    const step = this.#steps.slice(this.#next).find(isAwaited);
    if (!step) return undefined;
    return step.kind === "request" ? `request ${step.method}` : `answer to server request ${step.id}`;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    this.#schedule();
  }

  send(text: string): void {
    if (this.#ended) return;
    this.received.push(text);
    const message = parseWire(text);
    if (message.kind === "request") {
      if (this.#expects(message.method)) this.#requests.push(message);
      else this.#refuse(message.id, message.method);
    } else if (message.kind === "response") {
      this.#answers.push(idKey(message.id));
    }
    this.#schedule();
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  close(): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      this.#sink?.closed();
    }
    return Promise.resolve();
  }

  /** Never within the call that sent: a client may not be ready for the answer there. */
  #schedule(): void {
    if (this.#scheduled || this.#ended || !this.#sink) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#play();
    });
  }

  #play(): void {
    for (const text of this.#refusals.splice(0)) this.#sink?.message(text);
    while (!this.#paused && !this.#ended) {
      const step = this.#steps[this.#next];
      if (!step || (step.from === "client" && !this.#matched(step))) return;
      this.#next++;
      if (step.from === "server") this.#sink?.message(this.#translate(step));
    }
  }

  #matched(step: Step): boolean {
    if (step.kind === "request") {
      const index = this.#requests.findIndex(({ method }) => method === step.method);
      const [request] = index < 0 ? [] : this.#requests.splice(index, 1);
      if (request) this.#ids.set(idKey(step.id), request.id);
      return request !== undefined;
    }
    if (step.kind !== "response") return true;
    const index = this.#answers.indexOf(idKey(step.id));
    if (index >= 0) this.#answers.splice(index, 1);
    return index >= 0;
  }

  #translate(step: Step): string {
    const id = step.kind === "response" ? this.#ids.get(idKey(step.id)) : undefined;
    return id === undefined ? step.text : withId(step.text, id);
  }

  #expects(method: string): boolean {
    const isSame = (step: Step) => step.from === "client" && step.kind === "request" && step.method === method;
    const left = this.#steps.slice(this.#next).filter(isSame).length;
    return left > this.#requests.filter((request) => request.method === method).length;
  }

  #refuse(id: RequestId, method: string): void {
    const error = { code: -32601, message: `The recording holds no further ${method}` };
    this.#refusals.push(JSON.stringify({ id, error }));
  }
}

function isAwaited(step: Step): step is Extract<Step, { readonly kind: "request" | "response" }> {
  return step.from === "client" && (step.kind === "request" || step.kind === "response");
}
