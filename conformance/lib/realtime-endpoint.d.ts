/** A Realtime endpoint that says what it is told to. */
export interface RealtimeEndpoint extends AsyncDisposable {
  readonly url: string;
  /** All that it was sent, in order. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  say(...events: readonly object[]): void;
  /** Waits until it was sent so many messages of a type. */
  heard(type: string, count?: number): Promise<void>;
}
/** Starts one. It accepts every session. */
export declare function realtimeEndpoint(): RealtimeEndpoint;
