/** A command that ends within this time tells its output once, when it is done. */
const silentMs = 150;

/** Deltas are at least this far apart. */
const gapMs = 30;

/** Bytes that can be told at once, and how many more each second. Beyond, output is dropped from the stream. */
const burstBytes = 1 << 20;
const bytesPerSecond = 128 << 10;

/**
 * Tells output while a command runs: few and large pieces, none for a short command, and no flood. What a flood loses is
 * named in the stream; the command's own record of its output is not touched. Takes whole characters only.
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

  /** @param silent Milliseconds in which nothing is told. Default {@link silentMs}. */
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

  /** Tells what is left, unless the command was so short that nothing is told at all. */
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
