import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConnectionError, type Transport, type TransportSink } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { createLog, createServer } from "../../src/index.ts";

describe("the log of a server", () => {
  test("says when a client is cut off, though little is logged, and nothing where it left by itself", async () => {
    const { server, lines } = logging("error");
    endedBy(server, new ConnectionError("closed", "The WebSocket closed with code 1006"));
    assert.equal(lines.length, 0);
    endedBy(server, new ConnectionError("invalid-message", "The peer sent a message of more than 9 bytes"));
    endedBy(server, new ConnectionError("overloaded", "The client does not read"));
    assert.deepEqual(
      lines.map((line) => line.replace(/^\S+ /, "")),
      [
        "ERROR quire: connection ended: The peer sent a message of more than 9 bytes\n",
        "ERROR quire: connection ended: The client does not read\n",
      ],
    );
    await server.close();
  });

  test("is not written by clients: what they send stands on one line, without a terminal's codes", async () => {
    const { server, lines } = logging("warn");
    const [ours, theirs] = memoryPair();
    const connection = server.accept(theirs);
    ours.start({ message: () => undefined, closed: () => undefined });
    ours.send("no json\n2026-01-01T00:00:00Z ERROR quire: made up\u001b[2J");
    await ours.close();
    await connection.closed;
    assert.match(lines[0] ?? "", /^\S+ +WARN quire: malformed message .*"no json\\n2026.*made up\\u001b\[2J"\n$/);
    await server.close();
  });
});

function logging(level: "error" | "warn") {
  const lines: string[] = [];
  const log = createLog({ level, env: {}, write: (line) => lines.push(line) });
  return { server: createServer({ home: "/nowhere", log }), lines };
}

/** A client whose transport ends with this as soon as it is accepted. */
function endedBy(server: ReturnType<typeof createServer>, error: ConnectionError): void {
  let sink: TransportSink | undefined;
  const transport: Transport = {
    buffered: 0,
    start: (given) => {
      sink = given;
    },
    send: () => undefined,
    drain: () => Promise.resolve(),
    pause: () => undefined,
    resume: () => undefined,
    close: () => Promise.resolve(),
  };
  server.accept(transport);
  sink?.closed(error);
}
