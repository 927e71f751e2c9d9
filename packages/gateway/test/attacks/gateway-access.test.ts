/** Attacks: the gateway from other pages and programs. */
import { after, before } from "node:test";
import type { Gateway } from "@quire/gateway";
import { attack } from "@quire/testkit/attack";
import { rawRequest } from "../support/raw-http.ts";
import { testGateway } from "../support/test-gateway.ts";
import { signIn } from "../support/test-page.ts";

let gateway: Gateway;
let cookie = "";
/** A server that trusts whoever has the cookie, or the token anywhere: what a gateway is without its checks. */
let naive: ReturnType<typeof Bun.serve>;
before(async () => {
  gateway = testGateway({ orchestrator: "http://127.0.0.1:1" });
  cookie = await signIn(gateway);
  naive = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request, server) => {
      const given = `${request.headers.get("cookie")} ${request.url} ${await request.text()}`;
      if (!given.includes(cookie.split("=")[1] ?? "?") && !given.includes(gateway.token))
        return new Response(null, { status: 401 });
      return server.upgrade(request, { data: undefined }) ? undefined : new Response("ok");
    },
    websocket: { message: () => undefined },
  });
});
after(async () => {
  await gateway.close();
  await naive.stop(true);
});

interface Attempt {
  readonly name: string;
  /** First line, without the version. Default: the socket of the page. */
  readonly line?: string;
  readonly host?: string;
  readonly headers?: readonly string[];
  /** The browser sends the cookie along, as it does to every port of this machine. Default true. */
  readonly withCookie?: boolean;
  readonly body?: string;
}

const evil = "http://evil.example";
const attempts: readonly Attempt[] = [
  { name: "opens the page's socket from a foreign page", headers: [`Origin: ${evil}`] },
  { name: "opens the page's socket from a page on another port", headers: ["Origin: http://127.0.0.1:1"] },
  { name: "opens the page's socket from a sandboxed frame", headers: ["Origin: null"] },
  { name: "opens the page's socket from a file", headers: ["Origin: file://"] },
  { name: "opens the page's socket by a rebound name", host: "evil.example", headers: [`Origin: ${evil}`] },
  { name: "uses a rebound name without an Origin", host: "evil.example" },
  { name: "uses a name that begins like loopback", host: "127.0.0.1.evil.example" },
  { name: "uses a name that begins like localhost", host: "localhost.evil.example" },
  { name: "uses a name behind a user", host: "127.0.0.1@evil.example" },
  { name: "uses a name that ends in a dot", host: "evil.example." },
  { name: "uses a name in brackets", host: "[evil.example]" },
  { name: "sends a second Host of its own", headers: ["Host: evil.example"] },
  { name: "sends an Origin that begins like the gateway's", headers: ["Origin: http://127.0.0.1.evil.example"] },
  {
    name: "asks for open ports from an image of a foreign page",
    line: "GET /api/probe?ports=22",
    headers: ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
  },
  {
    name: "asks for open ports from an image on another port",
    line: "GET /api/probe?ports=22",
    headers: ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"],
  },
  {
    name: "commands the orchestrator by a form of a foreign page",
    line: "POST /orchestrator/api/v1/refresh",
    headers: [`Origin: ${evil}`, "Content-Type: text/plain"],
    body: "x",
  },
  { name: "reads the orchestrator without the token", line: "GET /orchestrator/api/v1/state?TOKEN", withCookie: false },
  { name: "opens the page's socket with the token in the address", line: "GET /socket?token=TOKEN", withCookie: false },
  { name: "uses the token as a cookie", headers: ["Cookie: quire_PORT=TOKEN"], withCookie: false },
  { name: "uses the cookie of a gateway on another port", headers: ["Cookie: quire_1=SESSION"], withCookie: false },
  {
    name: "signs in by a form of a foreign page",
    line: "POST /api/session",
    headers: ["Content-Type: application/x-www-form-urlencoded"],
    body: "token=TOKEN",
    withCookie: false,
  },
  {
    name: "signs in by text that looks like JSON",
    line: "POST /api/session",
    headers: ["Content-Type: text/plain"],
    body: '{"token":"TOKEN"}',
    withCookie: false,
  },
];

for (const { name, line = "GET /socket", host, headers = [], withCookie = true, body = "" } of attempts)
  attack(name, async (guarded) => {
    const port = guarded ? gateway.port : (naive.port ?? 0);
    const filled = (text: string) =>
      text
        .replace("TOKEN", gateway.token)
        .replace("SESSION", cookie.split("=")[1] ?? "")
        .replace("PORT", String(gateway.port));
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
    const { status } = await rawRequest(port, [
      `${filled(line)} HTTP/1.1`,
      `Host: ${host ?? `127.0.0.1:${port}`}`,
      ...(line.includes("/socket") ? [...upgrade, "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="] : []),
      ...(withCookie ? [`Cookie: ${cookie}`] : []),
      ...headers.map(filled),
      ...(body === "" ? [] : [`Content-Length: ${filled(body).length}`, "", filled(body)]),
    ]);
    return status === 101 || (status >= 200 && status < 300);
  });
