/** The part of a child's output that is used here. Node's readable streams have it, and their stand-ins under Bun. */
export interface InputPipe {
  readonly destroyed: boolean;
  readonly readableEnded: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end" | "close", listener: () => void): unknown;
  once(event: "end" | "close", listener: () => void): this;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
  /** A stream that is not referenced does not keep the process. */
  ref?(): unknown;
  unref?(): unknown;
}

/** The part of a child's input that is used here. Node's writable streams have it, and their stand-ins under Bun. */
export interface OutputPipe {
  readonly destroyed: boolean;
  readonly writable: boolean;
  readonly writableFinished: boolean;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  once(event: "finish" | "close", listener: () => void): this;
  /** @param taken Called when the text has left this process, or never will. */
  write(text: string, taken: () => void): unknown;
  end(): unknown;
  destroy(): unknown;
  ref?(): unknown;
  unref?(): unknown;
}

/** The part of a child process that is used here. */
export interface Child {
  /** Undefined when it could not be started; an `error` follows. */
  readonly pid?: number | undefined;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  readonly stdin: OutputPipe | null;
  readonly stdout: InputPipe | null;
  readonly stderr: InputPipe | null;
  once(event: "error", listener: (error: Error) => void): unknown;
  once(event: "exit", listener: () => void): unknown;
  ref(): unknown;
  unref(): unknown;
}
