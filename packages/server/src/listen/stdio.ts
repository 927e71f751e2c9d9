import type { AcceptedConnection, Acceptor, Listener } from "./acceptor.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Time for pending requests at the end of stdin: less than clients wait before they kill a server. */
const lastRepliesMs = 1500;

/** Serves the one client at this process's stdin and stdout. Nothing else may write to stdout from then on. */
export function listenStdio(acceptor: Acceptor): Listener {
  let connection: AcceptedConnection | undefined;
  const transport = new StdioTransport({
    input: Bun.stdin.stream(),
    output: Bun.stdout.writer(),
    inputEnded: () => lastReplies(connection),
  });
  connection = acceptor.accept(transport, { kind: "stdio" });
  return {
    address: "stdio://",
    closed: connection.closed.then(() => transport.close()),
    close: () => transport.close(),
  };
}

async function lastReplies(connection: AcceptedConnection | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lastRepliesMs);
  });
  await Promise.race([connection?.idle?.(), limit]);
  clearTimeout(timer);
}
