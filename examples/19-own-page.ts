/** A page of one's own over a server in the same process: the gateway does the connecting, the sharing and the guarding. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGateway } from "@quire/gateway";
import { memoryPair } from "@quire/jsonrpc/memory";
import { createServer } from "@quire/server";

const home = await mkdtemp(join(tmpdir(), "quire-home-"));
const server = createServer({ home, configOverrides: { model_provider: "offline" } });
const body = new TextEncoder().encode(
  "<!doctype html><title>My agents</title><script type=module src=/assets/a.js></script>",
);
const gateway = startGateway({
  page: async () => [{ path: "/", type: "text/html; charset=utf-8", body }],
  embedded: {
    dial: () => {
      const [near, far] = memoryPair();
      server.accept(far);
      return near;
    },
  },
  discovery: false,
});
console.log(`Open ${gateway.url}`);

// What that page would do: open the socket, and ask a server as soon as it is ready. A browser has a cookie for the token.
const headers = { authorization: `Bearer ${gateway.token}` };
const socket = new WebSocket(`${gateway.origin.replace("http", "ws")}/socket`, { headers });
const question = { id: 0, method: "model/list", params: {} };
const answer = await new Promise<{ data: { displayName: string }[] }>((resolve) => {
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(String(data));
    const hub = frame.type === "hub" ? frame.hub : frame.hubs?.[0];
    if (frame.type === "rpc" && frame.message.id === 0) resolve(frame.message.result);
    else if (hub?.state === "ready") socket.send(JSON.stringify({ type: "rpc", hub: hub.id, message: question }));
  };
});
for (const { displayName } of answer.data) console.log(displayName);

socket.close();
await gateway.close();
await server.close();
await rm(home, { recursive: true });
