/** A small server over stdin and stdout, for tests that need a process. Replies carry how the call went. */
import { Connection } from "@quire/jsonrpc";
import { listen } from "../../src/listen/index.ts";

const listener = await listen(
  {
    accept(transport) {
      let waiting = 0;
      const idle = new Set<() => void>();
      const connection = new Connection(transport, { answerMalformed: true, maxUnsentBytes: 4 * 1024 * 1024 });
      connection.handle("echo", (params) => params);
      connection.handle("notifyMany", ((params: { count: number; size: number }) => {
        const text = "n".repeat(params.size);
        for (let index = 0; index < params.count; index++) connection.notify("tick", { index, text });
        return { count: params.count };
      }) as never);
      connection.handle("buffered", () => connection.unsent);
      connection.handle("slow", (async (params: { ms: number }) => {
        waiting++;
        await Bun.sleep(params.ms);
        setImmediate(() => {
          if (--waiting === 0) for (const resolve of idle) resolve();
        });
        return "done";
      }) as never);
      return {
        closed: connection.closed,
        idle: () => (waiting === 0 ? Promise.resolve() : new Promise((resolve) => idle.add(resolve))),
      };
    },
  },
  { url: process.argv[2] ?? "stdio://", home: "/nonexistent", announce: (text) => console.error(text) },
);
await listener.closed;
process.exit(0);
