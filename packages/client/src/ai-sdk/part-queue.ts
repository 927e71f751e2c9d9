import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";

/** Parts kept for a reader that is slow. Beyond it no more events are taken, and the turn's own bound applies. */
const maxQueuedParts = 1000;

/** Parts between the turn that makes them and the step that reads them. One reader, one writer. */
export class PartQueue {
  readonly #parts: LanguageModelV3StreamPart[] = [];
  #wake: () => void = () => undefined;
  #makeRoom: () => void = () => undefined;

  /** Adds a part, and wakes the reader. */
  push(part: LanguageModelV3StreamPart): void {
    this.#parts.push(part);
    this.#wake();
  }

  /** Takes the next part, if there is one. */
  take(): LanguageModelV3StreamPart | undefined {
    const part = this.#parts.shift();
    if (this.#parts.length === 0) this.#makeRoom();
    return part;
  }

  /** Takes all there is now. */
  takeAll(): LanguageModelV3StreamPart[] {
    this.#makeRoom();
    return this.#parts.splice(0);
  }

  /** True when the writer should wait for {@link room}. */
  get isFull(): boolean {
    return this.#parts.length >= maxQueuedParts;
  }

  /** Resolves when the reader has taken all there is. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  /** Resolves when a part was added, or {@link wake} was called. */
  change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Has the reader look again. */
  wake(): void {
    this.#wake();
  }
}
