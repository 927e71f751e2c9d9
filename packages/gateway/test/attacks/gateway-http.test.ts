/** Attacks: the gateway's HTTP. */
import { readFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { after, before } from "node:test";
import type { Gateway } from "@quire/gateway";
import { attack } from "@quire/testkit/attack";
import { rawRequest } from "../support/raw-http.ts";
import { testGateway } from "../support/test-gateway.ts";

const script = "alert(document.cookie)";
const logged: string[] = [];
let gateway: Gateway;
/** An orchestrator that turned against the page. */
let evil: ReturnType<typeof Bun.serve>;
/** Serves as somebody would who did not think of attacks. */
let naive: ReturnType<typeof Bun.serve>;
const seen: string[] = [];
before(() => {
  evil = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url, headers }) {
      seen.push(`${headers.get("cookie")} ${headers.get("origin")}`);
      const { pathname, searchParams } = new URL(url);
      if (pathname === "/away") return Response.redirect("/secret");
      return new Response(pathname === "/secret" ? "secret" : script, {
        headers: {
          "Content-Type": searchParams.get("type") ?? "text/plain",
          "Set-Cookie": "a=b",
          Refresh: "0;url=//evil",
        },
      });
    },
  });
  gateway = testGateway({ orchestrator: evil.url.href, log: (line) => logged.push(line) });
  naive = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch({ url, headers }) {
      const { pathname, search } = new URL(url);
      if (pathname.startsWith("/orchestrator"))
        return fetch(`${evil.url.origin}${pathname.slice(13)}${search}`, { headers });
      return new Response(await readFile(join("/srv/page/files", decodeURIComponent(pathname))));
    },
    error: () => new Response(null, { status: 404 }),
  });
});
after(async () => {
  await gateway.close();
  await evil.stop(true);
  await naive.stop(true);
});

const asked = (guarded: boolean, path: string, headers: Record<string, string> = {}) =>
  fetch(`${guarded ? gateway.origin : naive.url.origin}${path}`, {
    headers: { authorization: `Bearer ${gateway.token}`, ...headers },
  });

const served: readonly { readonly name: string; readonly type: string }[] = [
  { name: "serves a page with a script by way of the orchestrator", type: "text/html" },
  { name: "serves a script for the page by way of the orchestrator", type: "text/javascript" },
  { name: "serves a picture with a script by way of the orchestrator", type: "image/svg+xml" },
  { name: "serves a style sheet by way of the orchestrator", type: "text/css" },
];
for (const { name, type } of served)
  attack(name, async (guarded) => {
    const { headers } = await asked(guarded, `/orchestrator/x?type=${encodeURIComponent(type)}`);
    return headers.get("content-type")?.startsWith(type) === true;
  });
attack("sets a cookie of the gateway by way of the orchestrator", async (guarded) =>
  (await asked(guarded, "/orchestrator/x")).headers.has("set-cookie"),
);
attack("sends the page elsewhere by way of the orchestrator", async (guarded) =>
  (await asked(guarded, "/orchestrator/x")).headers.has("refresh"),
);
attack("has the gateway follow the orchestrator's redirect", async (guarded) =>
  (await (await asked(guarded, "/orchestrator/away")).text()).includes("secret"),
);
attack("reads the page's cookie in the orchestrator", async (guarded) => {
  seen.length = 0;
  await asked(guarded, "/orchestrator/x", { cookie: "quire_1=session" });
  return seen.some((line) => line.includes("session"));
});

const paths: readonly { readonly name: string; readonly path: string }[] = [
  { name: "reads a file of the machine by encoded slashes", path: "/..%2f..%2f..%2f..%2fetc%2fhostname" },
  {
    name: "reads a file of the machine by encoded dots and slashes",
    path: "/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fhostname",
  },
  { name: "reads a file of the machine below the assets", path: "/assets%2f..%2f..%2f..%2f..%2fetc%2fhostname" },
];
for (const { name, path } of paths)
  attack(name, async (guarded) => {
    const { status } = await rawRequest(guarded ? gateway.port : (naive.port ?? 0), [
      `GET ${path} HTTP/1.1`,
      `Host: 127.0.0.1`,
    ]);
    return status === 200;
  });

attack("writes a header of the answer by the address", async (guarded) => {
  const path = "/x%0d%0aSet-Cookie:%20a=b";
  // An answer put together by hand, with what was asked for in it.
  const byHand = await listen((socket) =>
    socket.once("data", (data) => {
      const [, wanted = ""] = data.toString().split(" ");
      socket.end(`HTTP/1.1 404 Not Found\r\nX-Path: ${decodeURIComponent(wanted)}\r\n\r\n`);
    }),
  );
  const { head } = await rawRequest(guarded ? gateway.port : byHand.port, [`GET ${path} HTTP/1.1`, "Host: 127.0.0.1"]);
  byHand.close();
  return /^Set-Cookie: a=b$/m.test(head);
});

attack("sends headers without an end", async (guarded) => {
  const patient = await listen((socket) => socket.on("data", () => undefined));
  const sent = await pushed(guarded ? gateway.port : patient.port, `X-A: ${"a".repeat(4000)}\r\n`);
  patient.close();
  return sent > 500_000;
});

attack("locks everybody out by sign-ins that never end", async (guarded) => {
  // Counted from the first byte on, as it was.
  let counted = 0;
  const counting = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (++counted > 8) return new Response(null, { status: 429 });
      await request.text();
      return new Response(null, { status: 204 });
    },
  });
  const port = guarded ? gateway.port : (counting.port ?? 0);
  const head = ["POST /api/session HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"];
  const slow = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect(port, "127.0.0.1");
      await new Promise<void>((resolve) => {
        socket.write([...head, "Content-Length: 100", "", "{"].join("\r\n"), () => resolve());
      });
      return socket;
    }),
  );
  // A request behind them on the same loop: they have been taken in by then.
  await fetch(`http://127.0.0.1:${port}/api/session`, {
    method: guarded ? "GET" : "POST",
    body: guarded ? undefined : "x",
  });
  const { status } = await fetch(`http://127.0.0.1:${port}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: gateway.token }),
  });
  for (const socket of slow) socket.destroy();
  await counting.stop(true);
  return status !== 204;
});

attack("finds a server's token in the log", async (guarded) => {
  const address = "ws://verysecret@127.0.0.1:1/?key=verysecret";
  if (!guarded) return `cannot connect to ${address}`.includes("verysecret");
  logged.length = 0;
  await using other = testGateway({
    addresses: [address],
    log: (line) => logged.push(line),
    reconnect: { attempts: 0 },
  });
  while (other.hubs[0]?.state !== "disconnected") await new Promise((resolve) => setImmediate(resolve));
  return logged.length === 0 || JSON.stringify([logged, other.hubs]).includes("verysecret");
});

/** Listens by hand. */
function listen(serve: (socket: Socket) => void): Promise<{ readonly port: number; close(): void }> {
  return new Promise((resolve) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      serve(socket);
    }).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      const close = () => {
        server.close();
        for (const socket of sockets) socket.destroy();
      };
      resolve({ port, close });
    });
  });
}

/** Sends a request whose headers never end, until a megabyte or until it is cut off. Gives how much was sent. */
function pushed(port: number, header: string): Promise<number> {
  return new Promise((resolve) => {
    let sent = 0;
    const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", more));
    const end = () => {
      socket.destroy();
      resolve(sent);
    };
    const more = () => {
      if (sent > 1_000_000 || socket.destroyed) return end();
      sent += header.length;
      socket.write(header, () => setImmediate(more));
    };
    socket.on("error", end).on("close", end).resume();
  });
}
