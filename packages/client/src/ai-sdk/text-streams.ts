import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from "@ai-sdk/provider";

/** The kinds of text in the AI SDK. */
export type TextKind = "text" | "reasoning";

interface TextStream {
  readonly kind: TextKind;
  readonly metadata: SharedV3ProviderMetadata | undefined;
  /** Characters sent so far. */
  sent: number;
  isOpen: boolean;
}

/** Texts that arrive in pieces. Every one that was begun is ended within its step, and begun again in the next. */
export class TextStreams {
  readonly #emit: (part: LanguageModelV3StreamPart) => void;
  readonly #streams = new Map<string, TextStream>();

  constructor(emit: (part: LanguageModelV3StreamPart) => void) {
    this.#emit = emit;
  }

  /** A piece of a text, which begins with its first. */
  delta(kind: TextKind, id: string, delta: string, metadata?: SharedV3ProviderMetadata): void {
    let stream = this.#streams.get(id);
    if (!stream) {
      stream = { kind, metadata, sent: 0, isOpen: false };
      this.#streams.set(id, stream);
    }
    if (!stream.isOpen) {
      stream.isOpen = true;
      const { metadata: providerMetadata } = stream;
      this.#emit({ type: `${stream.kind}-start`, id, ...(providerMetadata && { providerMetadata }) });
    }
    stream.sent += delta.length;
    this.#emit({ type: `${stream.kind}-delta`, id, delta });
  }

  /** The whole of a text that is complete: what no piece has brought is sent now. */
  complete(kind: TextKind, id: string, text: string, metadata?: SharedV3ProviderMetadata): void {
    const missing = text.slice(this.#streams.get(id)?.sent ?? 0);
    if (missing !== "") this.delta(kind, id, missing, metadata);
    const stream = this.#streams.get(id);
    if (stream) this.#end(id, stream);
    this.#streams.delete(id);
  }

  /** Ends what is open: the step is over. */
  pause(): void {
    for (const [id, stream] of this.#streams) this.#end(id, stream);
  }

  #end(id: string, stream: TextStream): void {
    if (!stream.isOpen) return;
    stream.isOpen = false;
    this.#emit({ type: `${stream.kind}-end`, id });
  }
}
