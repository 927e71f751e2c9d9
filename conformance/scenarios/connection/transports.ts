import { createHash, createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { handshakeStatus, httpStatus } from "../../lib/http-status.ts";
import type { Scenario } from "../../lib/scenario.ts";
import type { Stage } from "../../lib/stage.ts";
import { runTurn, startThread } from "../../lib/steps.ts";

const token = "a-capability-token-of-some-length";
const secret = "a-shared-secret-of-at-least-32-bytes!";
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

/** A JSON Web Token signed with HMAC-SHA-256. */
function signed(claims: object, key: string = secret, alg = "HS256"): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${part({ alg, typ: "JWT" })}.${part(claims)}`;
  return `${body}.${createHmac("sha256", key).update(body).digest("base64url")}`;
}

/** Tries each credential and notes how the server takes it. */
async function tryAll(stage: Stage, url: string, credentials: Readonly<Record<string, object>>): Promise<void> {
  for (const [what, headers] of Object.entries(credentials)) {
    stage.observe(`handshake with ${what}`, await handshakeStatus(url, { ...headers }));
  }
}

/** Transports and the start of a connection. */
export const transports: readonly Scenario[] = [
  {
    name: "transports/health",
    covers: "`/readyz` and `/healthz`; nothing for a web page that sends an `Origin`",
    run: async (stage) => {
      const { url } = await stage.listen();
      for (const path of ["/readyz", "/healthz", "/nothing-here"]) {
        stage.observe(path, await httpStatus(url, path));
        stage.observe(`${path} with an Origin`, await httpStatus(url, path, { origin: "http://example.com" }));
      }
      await tryAll(stage, url, { "no Origin": {}, "an Origin": { origin: "http://127.0.0.1" } });
    },
  },
  {
    name: "transports/unix-socket",
    covers: "A WebSocket over a unix socket",
    run: async (stage) => {
      await stage.listen({ on: "socket" });
      const peer = await stage.dial();
      await runTurn(peer, await startThread(peer), "hi");
    },
  },
  {
    name: "transports/capability-token",
    covers: "`--ws-auth capability-token`, by file and by digest",
    run: async (stage) => {
      const file = join(stage.home, "token");
      writeFileSync(file, `${token}\n`);
      const sha256 = createHash("sha256").update(token).digest("hex");
      for (const flags of [
        ["--ws-token-file", file],
        ["--ws-token-sha256", sha256],
      ]) {
        const { url } = await stage.listen({ flags: ["--ws-auth", "capability-token", ...flags] });
        await tryAll(stage, url, {
          "no token": {},
          "the token": bearer(token),
          "another token": bearer("another"),
          "the token, not as a bearer": { authorization: token },
        });
        stage.observe("/healthz without a token", await httpStatus(url, "/healthz"));
      }
    },
  },
  {
    name: "transports/signed-token",
    covers: "`--ws-auth signed-bearer-token`: signature, times, issuer and audience",
    run: async (stage) => {
      const file = join(stage.home, "secret");
      writeFileSync(file, secret);
      const { url } = await stage.listen({
        flags: [
          ...["--ws-auth", "signed-bearer-token", "--ws-shared-secret-file", file],
          ...["--ws-issuer", "me", "--ws-audience", "you", "--ws-max-clock-skew-seconds", "5"],
        ],
      });
      const now = Math.floor(Date.now() / 1000);
      const good = { iss: "me", aud: "you", exp: now + 60 };
      await tryAll(stage, url, {
        "no token": {},
        "a good token": bearer(signed(good)),
        "one of several audiences": bearer(signed({ ...good, aud: ["them", "you"] })),
        "another secret": bearer(signed(good, "another-secret-of-at-least-32-bytes!!")),
        "another algorithm": bearer(signed(good, secret, "none")),
        "a token that has expired": bearer(signed({ ...good, exp: now - 60 })),
        "a token that expired within the skew": bearer(signed({ ...good, exp: now - 2 })),
        "a token that never expires": bearer(signed({ iss: "me", aud: "you" })),
        "a token of the future": bearer(signed({ ...good, nbf: now + 60 })),
        "another issuer": bearer(signed({ ...good, iss: "them" })),
        "another audience": bearer(signed({ ...good, aud: "them" })),
        "no JSON Web Token": bearer("x.y.z"),
      });
    },
  },
];
