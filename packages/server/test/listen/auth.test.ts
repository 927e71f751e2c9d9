import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import { tempDir } from "@quire/testkit";
import { type AuthOptions, authenticatorOf } from "../../src/listen/auth/auth-options.ts";
import { listen } from "../../src/listen/index.ts";
import { echoServer } from "./support/echo-server.ts";

const secret = "a-secret-of-more-than-thirty-two-bytes!";
const now = () => Math.floor(Date.now() / 1000);

function jwt(claims: object, { key = secret, header = { alg: "HS256" }, hash = "sha256" } = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest("base64url")}`;
}

async function judge(options: AuthOptions): Promise<(authorization: string | null) => string | undefined> {
  const authenticator = authenticatorOf(options);
  assert.ok(authenticator);
  return (authorization) => authenticator.check(authorization);
}

describe("a capability token", () => {
  test("from a file lets in who knows it, whatever newline ends the file", async () => {
    await using dir = await tempDir();
    const tokenFile = join(dir.path, "token");
    writeFileSync(tokenFile, "open sesame?no-spaces\n".replace(" ", "-"));
    const check = await judge({ mode: "capability-token", tokenFile });
    assert.equal(check("Bearer open-sesame?no-spaces"), undefined);
    assert.equal(check("bearer  open-sesame?no-spaces"), undefined);
    assert.equal(check("Bearer open-sesame?no-space"), "invalid websocket bearer token");
    assert.equal(check(null), "missing websocket bearer token");
    assert.equal(check("Basic b3Blbg=="), "missing websocket bearer token");
  });

  test("can be given as a digest, so that no file holds it", async () => {
    const tokenSha256 = createHash("sha256").update("tok").digest("hex").toUpperCase();
    const check = await judge({ mode: "capability-token", tokenSha256 });
    assert.equal(check("Bearer tok"), undefined);
    assert.equal(check(`Bearer ${tokenSha256}`), "invalid websocket bearer token");
  });
});

describe("a signed bearer token", () => {
  async function signed(more: AuthOptions = {}) {
    await using dir = await tempDir();
    const sharedSecretFile = join(dir.path, "secret");
    writeFileSync(sharedSecretFile, `${secret}\n`);
    const check = await judge({ mode: "signed-bearer-token", sharedSecretFile, ...more });
    return (token: string) => check(`Bearer ${token}`);
  }

  test("lets in who holds the secret, as long as the token holds", async () => {
    const check = await signed();
    const exp = now() + 60;
    assert.equal(check(jwt({ exp })), undefined);
    assert.equal(
      check(jwt({ exp, nbf: now() - 1, extra: 1 }, { header: { alg: "HS256", typ: "at+jwt" } as never })),
      undefined,
    );
    assert.equal(check(jwt({ exp: now() - 100 })), "expired websocket jwt");
    assert.equal(check(jwt({ exp, nbf: now() + 100 })), "websocket jwt is not valid yet");
    assert.equal(check(jwt({ exp: now() - 10 })), undefined, "30 seconds of skew by default");
  });

  test("is refused when forged, unsigned, of another kind or without an end", async () => {
    const check = await signed();
    const exp = now() + 60;
    const good = jwt({ exp });
    const [head, , signature] = good.split(".");
    const other = Buffer.from(JSON.stringify({ exp: exp + 1e6 })).toString("base64url");
    const bad = [
      jwt({ exp }, { key: `${secret}x` }),
      jwt({ exp }, { header: { alg: "none" } }),
      jwt({ exp }, { header: { alg: "HS512" }, hash: "sha512" }),
      jwt({}),
      jwt({ exp: String(exp) }),
      jwt({ exp: exp + 0.5 }),
      jwt({ exp, nbf: "0" }),
      `${head}.${other}.${signature}`,
      `${good}.x`,
      `${head}.${other}.`,
      "abc",
      "..",
    ];
    for (const token of bad) assert.equal(check(token), "invalid websocket jwt", token);
  });

  test("must come from the issuer and be meant for the audience that were set", async () => {
    const check = await signed({ issuer: "iss", audience: "aud", maxClockSkewSeconds: 0 });
    const exp = now() + 60;
    assert.equal(check(jwt({ exp, iss: "iss", aud: "aud" })), undefined);
    assert.equal(check(jwt({ exp, iss: "iss", aud: ["x", "aud"] })), undefined);
    assert.equal(check(jwt({ exp, aud: "aud" })), "websocket jwt issuer mismatch");
    assert.equal(check(jwt({ exp, iss: "other", aud: "aud" })), "websocket jwt issuer mismatch");
    assert.equal(check(jwt({ exp, iss: "iss", aud: ["x"] })), "websocket jwt audience mismatch");
    assert.equal(check(jwt({ exp, iss: "iss" })), "websocket jwt audience mismatch");
    assert.equal(check(jwt({ exp: now() - 5, iss: "iss", aud: "aud" })), "expired websocket jwt");
  });
});

describe("the flags", () => {
  const cases: readonly [AuthOptions, RegExp][] = [
    [
      { mode: "capability-token" },
      /^`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set$/,
    ],
    [{ mode: "capability-token", tokenFile: "/nonexistent" }, /^failed to read websocket auth secret \/nonexistent: /],
    [{ mode: "capability-token", tokenFile: "/dev/null" }, /^websocket auth secret \/dev\/null must not be empty$/],
    [{ mode: "capability-token", tokenFile: "/x", tokenSha256: "zz" }, /mutually exclusive$/],
    [{ mode: "capability-token", tokenSha256: "zz" }, /^--ws-token-sha256 must be a 64-character hex SHA-256 digest$/],
    [{ mode: "capability-token", tokenFile: "/x", issuer: "i" }, /require `--ws-auth signed-bearer-token`$/],
    [
      { mode: "signed-bearer-token" },
      /^`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set$/,
    ],
    [
      { mode: "signed-bearer-token", sharedSecretFile: "/x", tokenFile: "/y" },
      /require `--ws-auth capability-token`, not `signed-bearer-token`$/,
    ],
    [
      { tokenFile: "/x" },
      /^websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`$/,
    ],
    [{ maxClockSkewSeconds: 1 }, /^websocket auth flags require/],
  ];

  test("that do not go together are refused, in codex's words", () => {
    for (const [options, message] of cases)
      assert.throws(() => authenticatorOf(options), { name: "ListenError", message });
    assert.equal(authenticatorOf({}), undefined);
  });

  test("with a secret that is too short to be safe are refused", async () => {
    await using dir = await tempDir();
    const sharedSecretFile = join(dir.path, "short");
    writeFileSync(sharedSecretFile, "short");
    assert.throws(
      () => authenticatorOf({ mode: "signed-bearer-token", sharedSecretFile }),
      /must be at least 32 bytes/,
    );
  });

  test("hold before the handshake: nobody is served who brings nothing", async () => {
    const echo = echoServer();
    const tokenSha256 = createHash("sha256").update("tok").digest("hex");
    const listener = await listen(echo, { url: "ws://127.0.0.1:0", auth: { mode: "capability-token", tokenSha256 } });
    await assert.rejects(connectWebSocket(listener.address));
    const reply = await fetch(listener.address.replace("ws", "http"), {
      headers: { Upgrade: "websocket", Connection: "Upgrade" },
    });
    assert.equal(reply.status, 401);
    assert.equal(await reply.text(), "missing websocket bearer token");
    assert.deepEqual(echo.kinds, []);
    const transport = await connectWebSocket(listener.address, { headers: { Authorization: "Bearer tok" } });
    await transport.close();
    await listener.close();
  });
});
