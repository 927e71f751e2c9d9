/** What the proxy understands: what is not an attack must pass. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hostMatches } from "../../../../src/approval/network-settings.ts";
import { canonicalHost } from "../../../../src/run/sandbox/network/canonical-host.ts";
import { ProxiedBody } from "../../../../src/run/sandbox/network/proxied-body.ts";
import { readHead } from "../../../../src/run/sandbox/network/request-head.ts";

test("hosts have one form", () => {
  assert.equal(canonicalHost("Good.Example."), "good.example");
  assert.equal(canonicalHost("a_b-c.example"), "a_b-c.example");
  assert.equal(canonicalHost("localhost"), "localhost");
  assert.equal(canonicalHost("bücher.example"), "xn--bcher-kva.example");
  assert.equal(canonicalHost("192.0.2.7"), "192.0.2.7");
  assert.equal(canonicalHost("2001:DB8:0::1"), "2001:db8::1");
  assert.equal(canonicalHost("::1"), "::1");
  for (const text of ["", ".", "..", "a..b", "1.2.3.4.5", "a b", "a/b", "a@b", "a%b", "[::1", `${"a".repeat(64)}.b`])
    assert.equal(canonicalHost(text), undefined, text);
});

test("patterns mean what they say, however they are spelled", () => {
  assert.ok(hostMatches("*.Example.com", "a.example.com") && !hostMatches("*.example.com", "example.com"));
  assert.ok(hostMatches("**.example.com", "example.com") && hostMatches("**.example.com", "a.b.example.com"));
  assert.ok(!hostMatches("**.example.com", "badexample.com") && hostMatches("*", "anything"));
  assert.ok(hostMatches("[::1]", "::1") && hostMatches("127.1", "127.0.0.1"));
});

test("a request is forwarded with its path, headers and length", () => {
  const head =
    "POST http://good.example:8080/a?b=c HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nContent-Length: 4\r\nProxy-X: y";
  assert.deepEqual(readHead(head), {
    kind: "forward",
    host: "good.example",
    port: 8080,
    body: 4,
    head: "POST /a?b=c HTTP/1.1\r\nHost: good.example:8080\r\nConnection: close\r\nContent-Length: 4\r\naccept: */*\r\n\r\n",
  });
  assert.deepEqual(readHead("CONNECT [2001:db8::1]:443 HTTP/1.1"), { kind: "tunnel", host: "2001:db8::1", port: 443 });
});

test("a body passes whole, however it is cut, and nothing after it", async () => {
  const chunks = "4\r\nbody\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";
  for (const step of [1, 3, 1000]) {
    const body = new ProxiedBody("chunked");
    for (let at = 0; at < chunks.length; at += step) body.write(chunks.slice(at, at + step));
    body.end("GET / HTTP/1.1\r\n\r\n");
    assert.equal(Buffer.concat(await body.toArray()).toString(), chunks);
  }
  const counted = new ProxiedBody(4);
  counted.end("bodyGET / HTTP/1.1");
  assert.equal(Buffer.concat(await counted.toArray()).toString(), "body");
});
