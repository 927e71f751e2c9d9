import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { place } from "../support/place.ts";

/** A webhook that keeps what it gets. */
function webhook(status = 200) {
  const got: Record<string, unknown>[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      got.push((await request.json()) as Record<string, unknown>);
      return new Response("", { status });
    },
  });
  return { got, url: `http://127.0.0.1:${server.port}/hook`, [Symbol.asyncDispose]: () => server.stop(true) };
}

describe("notices", () => {
  test("people are told of an issue that needs one, in Slack's format without its marks", async () => {
    await using hook = webhook();
    const tracker = new MemoryTracker(issueOf("A", { title: "<!channel> & <http://evil.example|free>" }));
    const notify = { url: "$HOOK", format: "slack" };
    const env = { ...process.env, HOOK: hook.url };
    await using at = await place(tracker, { behaviour: "needs", settings: { notify }, env });
    await at.orchestrator.start();
    await eventually(() => hook.got.length === 1, { timeoutMs: 30_000 });
    const { text } = hook.got[0] as { text: string };
    assert.match(text, /^\*A\* &lt;!channel&gt; &amp; &lt;http/);
    assert.ok(!at.log().includes(hook.url), "its address is a secret");
  });

  test("only what was asked for is told, and a webhook that fails holds nothing up", async () => {
    await using hook = webhook(500);
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"));
    const notify = { url: hook.url, on: ["finished"] };
    await using at = await place(tracker, { settings: { notify } });
    await at.orchestrator.start();
    await at.until("both", ({ retrying }) => retrying.length === 2);
    at.clock.advance(1000);
    await at.until("the end", ({ finished }) => finished.length === 2);
    await eventually(() => hook.got.length === 2, { timeoutMs: 30_000 });
    assert.deepEqual(
      hook.got.map(({ event }) => event),
      ["finished", "finished"],
    );
    await eventually(() => /a notice could not be sent: it answered 500: check notify\.url/.test(at.log()));
  });

  test("an address that is not safe is refused", async () => {
    for (const url of ["http://example.org/x", "$NOT_SET", "file:///etc/passwd"]) {
      await assert.rejects(
        place(new MemoryTracker(), { settings: { notify: { url } } }),
        /notify\.url must be an https/,
      );
    }
  });
});
