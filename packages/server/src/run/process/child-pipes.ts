import { closeSync } from "node:fs";
import { openPipe, type Pipe } from "./pipe.ts";

/** The pipes of a child. */
export interface PipeOptions {
  /** True when stdin can be written; otherwise it is closed from the start. */
  readonly stdin: boolean;
  /** True to separate error output; otherwise both share a pipe, in the order in which they were written. */
  readonly separate: boolean;
}

/** A stream to write to. */
export interface Input {
  write(data: string | Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** A child on pipes, and our ends of them. */
export interface PipedChild {
  readonly child: Bun.Subprocess;
  readonly input: Input | undefined;
  readonly outputs: readonly { readonly from: "stdout" | "stderr"; readonly stream: AsyncIterable<Uint8Array> }[];
}

type Start = (stdio: {
  stdin: "pipe" | "ignore" | number;
  stdout: "pipe" | number;
  stderr: "pipe" | number;
}) => Bun.Subprocess;

/** Starts a child with pipes of the system, or where there are none with the runtime's own. */
export function startOnPipes(options: PipeOptions, start: Start): PipedChild {
  const pipes: Pipe[] = [];
  for (let missing = 1 + Number(options.separate) + Number(options.stdin); missing > 0; missing--) {
    const pipe = openPipe();
    if (!pipe) {
      for (const { read, write } of pipes) close(read, write);
      return startOnSockets(options, start);
    }
    pipes.push(pipe);
  }
  const [stdout, second, third] = pipes as [Pipe, ...(Pipe | undefined)[]];
  const stderr = options.separate ? (second as Pipe) : stdout;
  const stdin = options.stdin ? ((options.separate ? third : second) as Pipe) : undefined;
  let child: Bun.Subprocess;
  try {
    child = start({ stdin: stdin?.read ?? "ignore", stdout: stdout.write, stderr: stderr.write });
  } catch (error) {
    for (const { read, write } of pipes) close(read, write);
    throw error;
  }
  // The child has its own copies; with ours open, no pipe would ever end.
  for (const pipe of pipes) close(pipe === stdin ? pipe.read : pipe.write);
  const outputs = [{ from: "stdout" as const, stream: bytesOf(stdout.read) }];
  if (!options.separate) return { child, input: stdin && inputOf(stdin.write), outputs };
  return {
    child,
    input: stdin && inputOf(stdin.write),
    outputs: [...outputs, { from: "stderr", stream: bytesOf(stderr.read) }],
  };
}

function startOnSockets({ stdin }: PipeOptions, start: Start): PipedChild {
  const child = start({ stdin: stdin ? "pipe" : "ignore", stdout: "pipe", stderr: "pipe" });
  const sink = child.stdin as Bun.FileSink | undefined;
  return {
    child,
    input:
      stdin && sink ? { write: (data) => writeTo(sink, data), end: async () => void (await sink.end()) } : undefined,
    outputs: [
      { from: "stdout", stream: child.stdout as ReadableStream<Uint8Array> },
      { from: "stderr", stream: child.stderr as ReadableStream<Uint8Array> },
    ],
  };
}

async function* bytesOf(descriptor: number): AsyncGenerator<Uint8Array> {
  try {
    yield* Bun.file(descriptor).stream();
  } finally {
    close(descriptor);
  }
}

function inputOf(descriptor: number): Input {
  const sink = Bun.file(descriptor).writer();
  let open = true;
  return {
    write: async (data) => {
      if (open) await writeTo(sink, data);
    },
    end: async () => {
      if (!open) return;
      open = false;
      try {
        await sink.end();
      } catch {
        // Nobody reads any more.
      }
      close(descriptor);
    },
  };
}

async function writeTo(sink: Bun.FileSink, data: string | Uint8Array): Promise<void> {
  try {
    await sink.write(data);
    await sink.flush();
  } catch (error) {
    // The reader is gone.
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  }
}

function close(...descriptors: readonly number[]): void {
  for (const descriptor of descriptors) closeSync(descriptor);
}
