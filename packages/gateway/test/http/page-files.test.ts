import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { gate } from "@quire/testkit";
import { testGateway } from "../support/test-gateway.ts";

const script = new TextEncoder().encode("console.log('a page');\n".repeat(200));
const image = new Uint8Array(4000).fill(7);

const bytes = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

const page = async () => [
  { path: "/", type: "text/html; charset=utf-8", body: new TextEncoder().encode("<!doctype html><title>A</title>") },
  { path: "/assets/main-abc123.js", type: "text/javascript;charset=utf-8", body: script },
  { path: "/assets/picture-abc123.png", type: "image/png", body: image },
];

describe("the page", () => {
  test("comes with headers that let it load its own files and nothing else", async () => {
    await using gateway = testGateway({ page });
    for (const path of ["/", "/assets/main-abc123.js", "/nowhere", "/api/health", "/api/session"]) {
      const { headers } = await fetch(`${gateway.origin}${path}`);
      const policy = headers.get("content-security-policy") ?? "";
      assert.match(policy, /^default-src 'none'; script-src 'self';/, path);
      assert.doesNotMatch(policy, /script-src[^;]*(unsafe|\*|http|data:|blob:)/);
      assert.match(policy, /connect-src 'self';.*base-uri 'none'; form-action 'none'; frame-ancestors 'none'/);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("x-frame-options"), "DENY");
      assert.equal(headers.get("referrer-policy"), "no-referrer");
      assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
      assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
      assert.equal(headers.get("access-control-allow-origin"), null);
    }
  });

  test("is kept by the browser where it cannot change, and only there", async () => {
    await using gateway = testGateway({ page });
    const cached = async (path: string) => (await fetch(`${gateway.origin}${path}`)).headers.get("cache-control");
    assert.equal(await cached("/"), "no-cache");
    assert.equal(await cached("/assets/main-abc123.js"), "public, max-age=31536000, immutable");
    assert.equal(await cached("/api/health"), "no-store");
  });

  test("is packed as the browser likes it", async () => {
    await using gateway = testGateway({ page });
    const get = (path: string, accepted: string) =>
      fetch(`${gateway.origin}${path}`, { headers: { "accept-encoding": accepted }, decompress: false });
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;
    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip;q=0.5", "gzip"],
    ] as const) {
      for (let again = 0; again < 2; again++) {
        const answer = await get("/assets/main-abc123.js", accepted);
        assert.equal(answer.headers.get("content-encoding"), encoding);
        assert.equal(answer.headers.get("vary"), "Accept-Encoding");
        assert.deepEqual(new Uint8Array(unpack[encoding](await bytes(answer))), script);
      }
    }
    assert.equal((await get("/assets/main-abc123.js", "identity")).headers.get("content-encoding"), null);
    const picture = await get("/assets/picture-abc123.png", "gzip, br");
    assert.equal(picture.headers.get("content-encoding"), null);
    assert.deepEqual(await bytes(picture), image);
  });

  test("has no more files than it was given", async () => {
    await using gateway = testGateway({ page });
    const paths = [
      "/index.html",
      "/assets/",
      "/assets/../assets/main-abc123.js/",
      "/..%2f..%2fetc/passwd",
      "/__proto__",
    ];
    for (const path of paths) assert.equal((await fetch(`${gateway.origin}${path}`)).status, 404, path);
    assert.equal((await fetch(gateway.origin, { method: "POST" })).status, 405);
    const head = await fetch(`${gateway.origin}/assets/main-abc123.js`, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal((await bytes(head)).length, 0);
  });

  test("may come later than its first reader, and say why it does not come", async () => {
    const built = gate();
    await using slow = testGateway({
      page: async () => {
        await built;
        return page();
      },
    });
    const answer = fetch(slow.origin);
    built.open();
    await slow.ready();
    assert.equal((await answer).status, 200);
    await using broken = testGateway({ page: () => Promise.reject(new Error("no such file")) });
    await assert.rejects(broken.ready(), /no such file/);
    const said = await fetch(broken.origin);
    assert.equal(said.status, 500);
    assert.match(await said.text(), /could not be built: no such file/);
  });

  test("that could not be built is built again by the next who asks, once for all who wait", async () => {
    let builds = 0;
    await using gateway = testGateway({
      page: async () => {
        builds++;
        if (builds < 3) throw new Error(`failure ${builds}`);
        return page();
      },
    });
    await assert.rejects(gateway.ready(), /failure 1/);
    assert.match(await (await fetch(gateway.origin)).text(), /failure 2/);
    const answers = await Promise.all([fetch(gateway.origin), fetch(`${gateway.origin}/assets/main-abc123.js`)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    await gateway.ready();
    assert.equal(builds, 3);
  });
});
