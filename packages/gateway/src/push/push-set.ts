import type { StateFile } from "../state/state-file.ts";
import { encryptPush, type PushKeys } from "./encrypt.ts";
import { Vapid } from "./vapid.ts";

/** A browser's wish to be told. */
interface Subscription {
  readonly endpoint: string;
  readonly keys: PushKeys;
}

/** Time for a push service to take a message, and for which it keeps one for a browser that is away. */
const sendMs = 10_000;
const keptSeconds = 3600;
const maxEndpoint = 2000;

/** The subscriptions of devices, one each, and the way to them. */
export class PushSet {
  readonly #state: StateFile;
  readonly #log: (line: string) => void;
  readonly #byDevice = new Map<string, Subscription>();
  #vapid: Vapid | undefined;

  constructor(state: StateFile, log: (line: string) => void) {
    this.#state = state;
    this.#log = log;
    const kept = state.get("push");
    for (const [device, each] of Array.isArray(kept) ? (kept as readonly (readonly [unknown, unknown])[]) : []) {
      const subscription = subscriptionOf(each);
      if (typeof device === "string" && subscription !== undefined) this.#byDevice.set(device, subscription);
    }
  }

  get size(): number {
    return this.#byDevice.size;
  }

  /** The key that browsers subscribe with. Made when the first one asks. */
  get publicKey(): string {
    return this.#key.publicKey;
  }

  get #key(): Vapid {
    this.#vapid ??= new Vapid(this.#state);
    return this.#vapid;
  }

  has(device: string): boolean {
    return this.#byDevice.has(device);
  }

  /** Keeps a device's subscription; false for one that is none. */
  add(device: string, value: unknown): boolean {
    const subscription = subscriptionOf(value);
    if (subscription === undefined) return false;
    this.#byDevice.set(device, subscription);
    this.#keep();
    return true;
  }

  remove(device: string): void {
    if (this.#byDevice.delete(device)) this.#keep();
  }

  /** Sends a message to every device. Never rejects; a browser that has gone is forgotten. */
  async send(message: object): Promise<void> {
    const text = JSON.stringify(message);
    await Promise.all([...this.#byDevice].map(([device, subscription]) => this.#sendTo(device, subscription, text)));
  }

  async #sendTo(device: string, { endpoint, keys }: Subscription, text: string): Promise<void> {
    try {
      const { status } = await fetch(endpoint, {
        method: "POST",
        headers: {
          Authorization: this.#key.authorization(endpoint),
          "Content-Encoding": "aes128gcm",
          "Content-Type": "application/octet-stream",
          TTL: String(keptSeconds),
          Urgency: "high",
        },
        body: new Uint8Array(encryptPush(text, keys)),
        redirect: "error",
        signal: AbortSignal.timeout(sendMs),
      });
      if (status === 404 || status === 410) this.remove(device);
      else if (status >= 300) this.#log(`A push service answered ${status}`);
    } catch (error) {
      this.#log(`A push service could not be reached: ${(error as Error).message}`);
    }
  }

  #keep(): void {
    this.#state.set("push", [...this.#byDevice]);
  }
}

/** Reads a subscription as browsers give it. Push services are on https; one on this machine is somebody's test. */
function subscriptionOf(value: unknown): Subscription | undefined {
  const { endpoint, keys } = (value ?? {}) as { endpoint?: unknown; keys?: unknown };
  const { p256dh, auth } = (keys ?? {}) as Record<string, unknown>;
  if (typeof endpoint !== "string" || endpoint.length > maxEndpoint) return undefined;
  const url = URL.parse(endpoint);
  const isHere = url?.protocol === "http:" && url.hostname === "127.0.0.1";
  if (url === null || (url.protocol !== "https:" && !isHere)) return undefined;
  if (typeof p256dh !== "string" || Buffer.from(p256dh, "base64url").length !== 65) return undefined;
  if (typeof auth !== "string" || Buffer.from(auth, "base64url").length !== 16) return undefined;
  return { endpoint, keys: { p256dh, auth } };
}
