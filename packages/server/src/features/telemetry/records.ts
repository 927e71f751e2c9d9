/** Values of attributes. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** An event. */
export interface LogRecord {
  readonly timeMs: number;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly attributes: Attributes;
}

/** A timed operation. */
export interface SpanRecord {
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: 1 | 2 | 3;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

/** The trace of a turn: its id is a UUID, which is as long as a trace's. */
export const traceOf = (turnId: string): string => turnId.replaceAll("-", "");

/** A new id. */
export const newSpanId = (): string => crypto.getRandomValues(new Uint8Array(8)).toHex();
