/** A command that ends within this time reports its output once, at its end. */
const silentMs = 150;

/** Minimum interval between deltas. */
const gapMs = 30;

/** Bytes that can be sent at once, and how many more each second. Beyond that, output is dropped from the stream. */
const burstBytes = 1 << 20;
const bytesPerSecond = 128 << 10;

/**
 * Streams output in few and large pieces: none for a short command, and no flood. The stream names what a flood loses;
 * the command's own record is not affected. Takes whole characters only.
 */
export class OutputDeltas {
  readonly #emit: (text: string) => void;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #pending = "";
  #dropped = 0;
  #allowance = burstBytes;
  #refilledAt = performance.now();
  readonly #opensAt: number;
  #nextAt: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param silent Milliseconds before the first delta. Default {@link silentMs}. */
  constructor(emit: (text: string) => void, silent: number = silentMs) {
    this.#emit = emit;
    this.#opensAt = this.#refilledAt + silent;
    this.#nextAt = this.#opensAt;
  }

  push(bytes: Uint8Array): void {
    const now = performance.now();
    this.#allowance = Math.min(burstBytes, this.#allowance + ((now - this.#refilledAt) / 1000) * bytesPerSecond);
    this.#refilledAt = now;
    if (bytes.length > this.#allowance) {
      this.#dropped += bytes.length;
      return;
    }
    this.#allowance -= bytes.length;
    this.#pending += this.#gap() + this.#decoder.decode(bytes);
    if (now >= this.#nextAt) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#nextAt - now);
  }

  /** Sends the rest, unless the command was so short that nothing is streamed. */
  end(): void {
    clearTimeout(this.#timer);
    this.#pending += this.#gap();
    if (this.#pending !== "" && performance.now() >= this.#opensAt) this.#flush();
  }

  #gap(): string {
    if (this.#dropped === 0) return "";
    const gap = `\n... ${this.#dropped} bytes omitted ...\n`;
    this.#dropped = 0;
    return gap;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#nextAt = performance.now() + gapMs;
    const text = this.#pending;
    this.#pending = "";
    this.#emit(text);
  }
}
