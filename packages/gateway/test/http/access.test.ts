import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Gateway, startGateway } from "@quire/gateway";
import { rawRequest } from "../support/raw-http.ts";
import { plainPage, testGateway } from "../support/test-gateway.ts";
import { openPage, signIn } from "../support/test-page.ts";

/** A handshake for the page's socket, with these headers. */
const handshake = (...headers: string[]) => [
  "GET /socket HTTP/1.1",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ...headers,
];

describe("without the token", () => {
  test("there is a page, but nothing behind it", async () => {
    await using gateway = testGateway({ orchestrator: "http://127.0.0.1:1" });
    const { origin, port } = gateway;
    const status = async (path: string, init?: RequestInit) => (await fetch(`${origin}${path}`, init)).status;
    assert.equal(await status("/"), 200);
    assert.equal(await status("/api/health"), 200);
    for (const path of [
      "/socket",
      "/api/probe?ports=1",
      "/api/other",
      "/orchestrator",
      "/orchestrator/x",
      "/api/session",
    ]) {
      assert.equal(await status(path), 401, path);
    }
    const cookies = [
      "",
      `quire_${port}=`,
      `quire_${port}=wrong`,
      "quire_0=x",
      "%%%=%%%;;;=",
      `quire_${port}=${gateway.token}`,
    ];
    for (const cookie of cookies) assert.equal(await status("/api/session", { headers: { cookie } }), 401, cookie);
    for (const authorization of ["Bearer", "Bearer wrong", `Basic ${gateway.token}`, `Bearer ${gateway.token}x`]) {
      assert.equal(await status("/api/session", { headers: { authorization } }), 401, authorization);
    }
    const host = `Host: 127.0.0.1:${port}`;
    assert.equal((await rawRequest(port, handshake(host, `Origin: ${origin}`))).status, 401);
    assert.equal((await rawRequest(port, handshake(host, `Cookie: quire_${port}=guess`))).status, 401);
  });

  test("none is given out: wrong ones, wrong types and too much are refused", async () => {
    await using gateway = testGateway();
    const { origin, token } = gateway;
    const post = async (body: string, type = "application/json") => {
      const answer = await fetch(`${origin}/api/session`, { method: "POST", headers: { "content-type": type }, body });
      assert.equal(answer.headers.get("set-cookie"), null, body);
      return answer.status;
    };
    assert.equal(await post(JSON.stringify({ token: `${token}x` })), 401);
    assert.equal(await post(JSON.stringify({ token: [token] })), 401);
    assert.equal(await post("null"), 401);
    assert.equal(await post(JSON.stringify({ token }).padEnd(5000)), 401);
    assert.equal(await post(JSON.stringify({ token }), "text/plain"), 415);
    assert.equal(await post(new URLSearchParams({ token }).toString(), "application/x-www-form-urlencoded"), 415);
    assert.equal(await post("x".repeat(2 * 1024 * 1024)), 413);
    assert.equal((await fetch(`${origin}/api/session`, { method: "DELETE" })).status, 405);
  });

  test("nobody gets through a list of guesses at once", async () => {
    await using gateway = testGateway();
    const guess = async () => {
      const headers = { "content-type": "application/json" };
      return (await fetch(`${gateway.origin}/api/session`, { method: "POST", headers, body: '{"token":"x"}' })).status;
    };
    const answers = await Promise.all(Array.from({ length: 40 }, guess));
    assert.ok(answers.includes(429));
    assert.ok(answers.every((status) => status === 401 || status === 429));
  });
});

describe("with the token", () => {
  test("a page gets a cookie that scripts cannot read and other sites do not send", async () => {
    await using gateway = testGateway();
    const { origin, token, port } = gateway;
    const answer = await fetch(`${origin}/api/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ token }),
    });
    const set = answer.headers.get("set-cookie") ?? "";
    assert.match(
      set,
      new RegExp(`^quire_${port}=[\\w-]{22}\\.[\\w-]{43}; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict$`),
    );
    assert.doesNotMatch(set, new RegExp(token));
    const [cookie = ""] = set.split(";");
    assert.equal((await fetch(`${origin}/api/session`, { headers: { cookie } })).status, 204);
    const bearer = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${origin}/api/probe?ports=`, { headers: bearer })).status, 200);
  });

  test("over TLS the cookie does not travel without it", async () => {
    await using gateway = testGateway({ allowedHosts: ["quire.example.org"] });
    const { port, token } = gateway;
    const body = JSON.stringify({ token });
    const { status, head } = await rawRequest(port, [
      "POST /api/session HTTP/1.1",
      "Host: quire.example.org",
      "Origin: https://quire.example.org",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "",
      body,
    ]);
    assert.equal(status, 204);
    assert.match(head, /SameSite=Strict; Secure/);
  });

  test("that one has chosen, pages stay signed in over a restart; else they do not", async () => {
    const token = "a token that one has chosen";
    await using first = testGateway({ token });
    await using second = testGateway({ token });
    await using third = testGateway();
    const [, value] = (await signIn(first)).split("=");
    const status = async ({ origin, port }: Gateway) =>
      (await fetch(`${origin}/api/session`, { headers: { cookie: `quire_${port}=${value}` } })).status;
    assert.deepEqual([await status(second), await status(third)], [204, 401]);
    assert.notEqual(third.token, token);
  });

  test("a ticket is good once, and opens the same door", async () => {
    await using gateway = testGateway();
    const { origin } = gateway;
    const ticket = new URL(gateway.ticketUrl()).hash.slice("#token=".length);
    assert.notEqual(ticket, gateway.token);
    const use = async () => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${origin}/api/session`, {
        method: "POST",
        headers,
        body: JSON.stringify({ token: ticket }),
      });
      return answer.status;
    };
    assert.deepEqual([await use(), await use()], [204, 401]);
    assert.equal(
      (await fetch(`${origin}/api/session`, { headers: { authorization: `Bearer ${ticket}` } })).status,
      401,
    );
  });
});

describe("a web page elsewhere", () => {
  test("cannot reach the gateway by a name of its own, whatever it knows", async () => {
    await using gateway = testGateway();
    const { port, token } = gateway;
    const authorization = `Authorization: Bearer ${token}`;
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      "",
      "localhost.evil:1",
      `[evil]:${port}`,
    ]) {
      for (const path of ["/", "/api/health", "/api/probe", "/api/session"]) {
        const { status } = await rawRequest(port, [`GET ${path} HTTP/1.1`, `Host: ${host}`, authorization]);
        assert.ok(status === 403 || status === 400, `${host} ${path}: ${status}`);
      }
      const { status } = await rawRequest(port, handshake(`Host: ${host}`, authorization));
      assert.ok(status === 403 || status === 400, `${host}: ${status}`);
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, "127.0.0.1:9"]) {
      assert.equal((await rawRequest(port, ["GET / HTTP/1.1", `Host: ${host}`])).status, 200, host);
    }
  });

  test("cannot use the cookie of the one that is open: its Origin is another", async () => {
    await using gateway = testGateway();
    const cookie = `Cookie: ${await signIn(gateway)}`;
    const { port, origin } = gateway;
    const host = `Host: 127.0.0.1:${port}`;
    const others = [
      "http://evil.example",
      "null",
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
      "https://127.0.0.1",
    ];
    for (const other of others) {
      assert.equal((await rawRequest(port, handshake(host, cookie, `Origin: ${other}`))).status, 403, other);
      const get = ["GET /api/probe HTTP/1.1", host, cookie, `Origin: ${other}`];
      assert.equal((await rawRequest(port, get)).status, 403, other);
    }
    const sites = ["GET /api/probe HTTP/1.1", host, cookie, "Sec-Fetch-Mode: no-cors"];
    assert.equal((await rawRequest(port, [...sites, "Sec-Fetch-Site: cross-site"])).status, 403);
    assert.equal((await rawRequest(port, [...sites, "Sec-Fetch-Site: same-site"])).status, 403);
    assert.equal((await rawRequest(port, [...sites, "Sec-Fetch-Site: same-origin"])).status, 200);
    assert.equal((await rawRequest(port, handshake(host, cookie, `Origin: ${origin}`))).status, 101);
  });
});

describe("beyond this machine", () => {
  test("nothing is served without a token that one has chosen, and not with a short one", () => {
    for (const host of ["0.0.0.0", "::", "192.0.2.1", "example.org"]) {
      assert.throws(
        () => startGateway({ page: plainPage, host }),
        /can be reached by other machines.*--token or QUIRE_TOKEN/,
      );
      assert.throws(() => startGateway({ page: plainPage, host, token: "short" }), /at least 16 characters/);
    }
    assert.throws(() => testGateway({ token: "" }), /at least 16 characters/);
  });

  test("with one, it is; names are still checked", async () => {
    await using gateway = testGateway({
      host: "0.0.0.0",
      token: "a token that one has chosen",
      allowedHosts: ["My.Example"],
    });
    const { port } = gateway;
    const get = async (host: string) => (await rawRequest(port, ["GET / HTTP/1.1", `Host: ${host}`])).status;
    assert.equal(await get(`192.0.2.7:${port}`), 200);
    assert.equal(await get("my.example"), 200);
    assert.equal(await get("other.example"), 403);
    await using page = await openPage(gateway);
    assert.equal(page.frames[0]?.type, "welcome");
  });
});

test("no token is in what is logged", async () => {
  const lines: string[] = [];
  await using gateway = testGateway({
    log: (line) => lines.push(line),
    reconnect: { attempts: 0 },
    addresses: ["ws://hidden@127.0.0.1:1/?key=hidden"],
  });
  await using page = await openPage(gateway);
  await page.hub(({ state }) => state === "disconnected");
  assert.ok(lines.length > 0);
  assert.doesNotMatch(lines.join("\n"), new RegExp(`hidden|${gateway.token}`));
});
