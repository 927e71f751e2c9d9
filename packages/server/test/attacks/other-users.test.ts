/** Attacks: other users of the machine. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { eventually } from "@quire/testkit";
import { attack } from "@quire/testkit/attack";
import { createExecServer } from "../../src/exec-server/exec-server.ts";
import { isOfThisUser } from "../../src/listen/peer-user.ts";
import { listenWebSocket } from "../../src/listen/websocket.ts";
import { echoServer } from "../listen/support/echo-server.ts";

const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

/** Connects as a program of its own, says something at once, and prints the first line of the answer or leaves. */
const client = `
const [port, leaves] = process.argv.slice(1);
const frame = (text) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
};
const socket = require("node:net").connect(Number(port), "127.0.0.1", () => {
  socket.write("GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n" +
    "Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n");
  socket.write(frame('{"id":1,"method":"echo","params":{}}'), () => leaves === "leaves" && process.exit(0));
});
socket.on("data", (data) => { console.log(String(data).split("\\r\\n")[0]); process.exit(0); });
socket.on("error", () => process.exit(0));
`;

const portOf = (address: string): string => new URL(address.replace("ws:", "http:")).port;

/** Whether a user of whom a server knows nothing is let in. Who is not root tries it by himself, as root's attacker. */
async function isLetIn(acceptor: Parameters<typeof listenWebSocket>[0], guarded: boolean): Promise<boolean> {
  const listener = listenWebSocket(acceptor, {
    at: { host: "127.0.0.1", port: 0 },
    ...(!guarded && { allowUnauthenticated: true }),
  });
  const port = portOf(listener.address);
  try {
    if (!isRoot) return !guarded || isOfThisUser({ peerPort: 1, port: Number(port) });
    const child = spawn("node", ["-e", client, port, "stays"], { ...nobody, stdio: ["ignore", "pipe", "inherit"] });
    return (await text(child.stdout)).includes("101");
  } finally {
    await listener.close();
  }
}

attack("connects to an app-server without a token as another user of the machine", (guarded) =>
  isLetIn(echoServer(), guarded),
);

attack("connects to an exec-server without a token as another user of the machine", async (guarded) => {
  await using server = createExecServer();
  return await isLetIn(server, guarded);
});

attack("hides whose connection it is by closing it once it has said what to run", async (guarded) => {
  const echo = echoServer();
  const listener = listenWebSocket(echo, {
    at: { host: "127.0.0.1", port: 0 },
    ...(!guarded && { allowUnauthenticated: true }),
  });
  try {
    // While this process waits for the program it accepts nothing: then there is nobody any more.
    const user = isRoot ? nobody : {};
    spawnSync("node", ["-e", client, portOf(listener.address), "leaves"], { ...user, stdio: "inherit" });
    const own = spawn("node", ["-e", client, portOf(listener.address), "stays"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(own, "close");
    await eventually(() => echo.kinds.length > 0, { what: "our own connection" });
    return echo.kinds.length > 1;
  } finally {
    await listener.close();
  }
});
