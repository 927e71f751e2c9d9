import { Connection, EncodedResult } from "@quire/jsonrpc";
import type { Acceptor, ConnectionKind } from "../../../src/listen/index.ts";

/** A server that knows a few methods, and how its connections ended. */
export interface EchoServer extends Acceptor {
  readonly kinds: ConnectionKind[];
  /** Messages of the errors that ended connections; empty strings for clean ends. */
  readonly ends: string[];
}

/** Answers `echo`, answers `large` with bytes, sends `tick` notifications on `notifyMany` (`patiently`: waiting for room), and takes its time on `slow`. */
export function echoServer(maxUnsentBytes?: number): EchoServer {
  const kinds: ConnectionKind[] = [];
  const ends: string[] = [];
  return {
    kinds,
    ends,
    accept(transport, { kind }) {
      kinds.push(kind);
      const connection = new Connection(transport, {
        answerMalformed: true,
        maxUnsentBytes,
        onHandlerError: () => undefined,
        onClose: (error) => void ends.push(error?.message ?? ""),
      });
      connection.handle("echo", (params) => params);
      connection.handle("notifyMany", (async (params: { count: number; size: number; patiently?: boolean }) => {
        const text = "n".repeat(params.size);
        for (let index = 0; index < params.count; index++) {
          connection.notify("tick", { index, text });
          if (params.patiently) await connection.drain();
        }
        return { count: params.count };
      }) as never);
      connection.handle("large", ((params: { size: number }) => {
        connection.notify("tick", { index: 0 });
        // What is told within the same turn of the loop must come behind.
        queueMicrotask(() => connection.notify("tick", { index: 1 }));
        return new EncodedResult(new TextEncoder().encode(JSON.stringify("é".repeat(params.size))));
      }) as never);
      connection.handle("slow", (async (params: { ms: number }) => {
        await Bun.sleep(params.ms);
        return "done";
      }) as never);
      return connection;
    },
  };
}
