/** Threads for web pages, as a page sees them: requests and responses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient } from "@quire/client";
import { createHandler, type HandlerOptions } from "@quire/client/http";
import { Approvals } from "@quire/client/questions";
import { gate, scriptedServer } from "@quire/testkit";

interface Event {
  readonly id?: string;
  readonly event?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads server-sent events, as a page does. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  assert.equal(response.status, 200, await (response.ok ? "" : response.text()));
  assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
      yield { ...fields, data: fields.data === "[DONE]" ? { type: "[DONE]" } : JSON.parse(fields.data ?? "null") };
    }
  }
}

async function all(response: Response): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

async function served(options: Partial<HandlerOptions> = {}) {
  const server = scriptedServer();
  const approvals = new Approvals();
  const codex = await CodexClient.connect(server.transport, { onApproval: approvals.ask });
  const user = (request: Request) => request.headers.get("x-user");
  const handle = createHandler(codex, { user, approvals, basePath: "/api", onError: () => undefined, ...options });
  const send = (
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    handle(
      new Request(`http://app.test/api/${path}`, {
        method,
        headers: {
          "x-user": "ada",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  const start = async () =>
    ((await (await send("POST", "threads", { body: {} })).json()) as { threadId: string }).threadId;
  return {
    server,
    codex,
    approvals,
    send,
    start,
    async [Symbol.asyncDispose]() {
      await codex.close();
      await server.close();
    },
  };
}

test("a turn is a stream of events with its result at the end", async () => {
  await using app = await served();
  app.server.turn({ items: [{ type: "command", command: "ls", output: "a.txt" }], text: "All is well.", chunks: 3 });
  const threadId = await app.start();
  const events = await all(await app.send("POST", `threads/${threadId}/turns`, { body: { input: "Is all well?" } }));
  assert.equal(events[0]?.event, "turn");
  assert.equal(events[0]?.data.threadId, threadId);
  const deltas = events.filter(({ data }) => data.type === "agentMessage.delta").map(({ data }) => data.delta);
  assert.equal(deltas.join(""), "All is well.");
  assert.deepEqual(events.at(-1)?.data.agentMessage, "All is well.");
  assert.equal(events.at(-1)?.event, "end");
});

test("a page that lost its connection in the middle takes the turn up where it was, and misses nothing", async () => {
  await using app = await served();
  const held = gate();
  app.server.turn({
    items: [
      { type: "message", text: "One." },
      { type: "wait", until: held },
    ],
    text: "Two.",
  });
  const threadId = await app.start();
  const seen: Event[] = [];
  for await (const event of eventsOf(await app.send("POST", `threads/${threadId}/turns`, { body: { input: "go" } }))) {
    seen.push(event);
    // Leaving the loop cancels the response, as a closed tab does.
    if (event.data.type === "item.completed" && (event.data.item as { text?: string }).text === "One.") break;
  }
  const turnId = seen[0]?.data.turnId;
  held.open();
  const headers = { "last-event-id": seen.at(-1)?.id ?? "" };
  const rest = await all(await app.send("GET", `threads/${threadId}/turns/${turnId}`, { headers }));
  const numbers = [...seen, ...rest].flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
    "every event came once, in order",
  );
  assert.equal(rest.at(-1)?.data.agentMessage, "Two.");
});

test("a person answers an approval over HTTP, and only its thread's own", async () => {
  await using app = await served();
  app.server.turn({ items: [{ type: "command", command: "rm a.txt", approval: true }], text: "Removed." });
  const threadId = await app.start();
  const response = await app.send("POST", `threads/${threadId}/turns`, { body: { input: "go" } });
  const states: unknown[] = [];
  for await (const { event, data } of eventsOf(response)) {
    if (event === "approvals") {
      const open = data as unknown as { id: string; script: string }[];
      states.push(open.map(({ script }) => script));
      for (const { id } of open) {
        const path = `approvals/${id}`;
        const asBob = { "x-user": "bob" };
        assert.deepEqual(await (await app.send("GET", "approvals", { headers: asBob })).json(), []);
        assert.equal((await app.send("POST", path, { body: { decision: "accept" }, headers: asBob })).status, 409);
        assert.equal((await app.send("POST", path, { body: { decision: "everything" } })).status, 409);
        assert.equal((await app.send("POST", path, { body: { decision: "accept" } })).status, 200);
        assert.equal((await app.send("POST", path, { body: { decision: "decline" } })).status, 409, "only once");
      }
    }
    if (event === "end") assert.equal(data.agentMessage, "Removed.");
  }
  assert.deepEqual(states, [["rm a.txt"], []]);
});

test("a turn that fails says so, one that is interrupted ends", async () => {
  await using app = await served();
  app.server.turn({ error: { message: "The model is gone" } });
  const threadId = await app.start();
  const failed = await all(await app.send("POST", `threads/${threadId}/turns`, { body: { input: "go" } }));
  assert.deepEqual(failed.at(-1)?.data, { status: "failed", error: "The model is gone" });
  app.server.turn({ items: [{ type: "wait", until: new Promise(() => undefined) }] });
  for await (const { event, data } of eventsOf(
    await app.send("POST", `threads/${threadId}/turns`, { body: { input: "go" } }),
  )) {
    if (event === "turn") await app.send("POST", `threads/${threadId}/turns/${data.turnId}/interrupt`, { body: {} });
    if (event === "end") assert.equal(data.status, "interrupted");
  }
});

test("the AI SDK's chat gets its own stream, with tools, approvals and the same thread every time", async () => {
  await using app = await served();
  app.server.turn({ items: [{ type: "command", command: "ls", approval: true }], text: "All is well.", chunks: 2 });
  app.server.turn({ text: "Still well." });
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "Is all well?" }] }];
  const response = await app.send("POST", "chat", { body: { id: "chat-1", messages } });
  assert.equal(response.headers.get("x-vercel-ai-ui-message-stream"), "v1");
  const types: unknown[] = [];
  for await (const { data } of eventsOf(response)) {
    types.push(data.type);
    if (data.type === "data-approval") assert.ok(app.approvals.answer(String(data.id), "accept"));
  }
  // Both come from the server at once, and either may be read first.
  assert.ok(types.indexOf("data-approval") < types.indexOf("tool-output-available"));
  assert.deepEqual(
    types.filter((type) => type !== "data-approval"),
    [
      ...["start", "tool-input-available", "tool-output-available"],
      ...["text-start", "text-delta", "text-delta", "text-end", "finish", "[DONE]"],
    ],
  );
  assert.equal((await app.send("GET", "chat/chat-1/stream")).status, 204, "nothing runs");
  const again = await all(await app.send("POST", "chat", { body: { id: "chat-1", messages } }));
  const start = again[0]?.data.messageMetadata as { threadId: string };
  assert.equal(app.server.received.filter(({ method }) => method === "thread/start").length, 1);
  assert.equal(
    (await app.send("GET", `threads/${start.threadId}/turns/t`, { headers: { "x-user": "bob" } })).status,
    404,
  );
});

test("nothing is served to strangers, to pages of other sites, or with settings of a page's own", async () => {
  await using app = await served();
  const threadId = await app.start();
  const turns = `threads/${threadId}/turns`;
  const body = { input: "go" };
  const status = async (method: string, path: string, options: { body?: unknown; headers?: Record<string, string> }) =>
    (await app.send(method, path, options)).status;
  const asNobody = { "x-user": "" };
  assert.equal(await status("POST", turns, { body, headers: asNobody }), 401);
  assert.equal(await status("POST", turns, { body, headers: { "x-user": "bob" } }), 404, "another's thread");
  for (const headers of [
    { origin: "https://evil.test" },
    { origin: "null" },
    { origin: "http://app.test.evil.test" },
    { "sec-fetch-site": "cross-site" },
  ]) {
    assert.equal(await status("POST", turns, { body, headers }), 403, JSON.stringify(headers));
    assert.equal(await status("GET", "approvals", { headers }), 403, JSON.stringify(headers));
  }
  assert.equal(await status("POST", turns, { body, headers: { "content-type": "text/plain" } }), 415, "a form");
  for (const input of [
    undefined,
    [],
    [{ type: "localImage", path: "/etc/passwd" }],
    [{ type: "image", url: "http://169.254.169.254/" }],
    [{ type: "skill", name: "x", path: "/x" }],
    [null],
  ]) {
    assert.equal(await status("POST", turns, { body: { input } }), 400, JSON.stringify(input));
  }
  assert.equal(await status("GET", `${turns}/%E0%A4%A`, {}), 400);
  assert.equal(await status("GET", `${turns}/unknown`, {}), 404);
  assert.equal(await status("DELETE", turns, {}), 404);
  await app.send("POST", "threads", { body: { sandbox: "danger-full-access", cwd: "/" } });
  const asked = app.server.received.filter(({ method }) => method === "thread/start").map(({ params }) => params);
  assert.deepEqual(asked, [{}, {}]);
});

test("a user who has too many turns running is told to wait, and others are not", async () => {
  await using app = await served({ maxRunning: 1 });
  const held = gate();
  app.server.turn({ items: [{ type: "wait", until: held }], text: "Done." });
  app.server.turn({ text: "For Bob." });
  const [first, second] = [await app.start(), await app.start()];
  const running = await app.send("POST", `threads/${first}/turns`, { body: { input: "go" } });
  const refused = await app.send("POST", `threads/${second}/turns`, { body: { input: "go" } });
  assert.equal(refused.status, 429);
  const headers = { "x-user": "bob" };
  const { threadId } = (await (await app.send("POST", "threads", { body: {}, headers })).json()) as {
    threadId: string;
  };
  const other = await app.send("POST", `threads/${threadId}/turns`, { body: { input: "go" }, headers });
  assert.equal((await all(other)).at(-1)?.data.agentMessage, "For Bob.");
  held.open();
  assert.equal((await all(running)).at(-1)?.data.agentMessage, "Done.");
  app.server.turn({ text: "One of three." });
  const together = await Promise.all(
    [1, 2, 3].map(() => app.send("POST", `threads/${second}/turns`, { body: { input: "go" } })),
  );
  assert.deepEqual(together.map(({ status }) => status).sort(), [200, 429, 429], "also when they come together");
  for (const response of together) if (response.ok) await all(response);
});

test("origins that are named may call, and failures within keep their words from the page", async () => {
  const errors: unknown[] = [];
  await using app = await served({ origins: ["https://mine.test"], onError: (error) => errors.push(error) });
  const headers = { origin: "https://mine.test" };
  assert.equal((await app.send("POST", "threads", { body: {}, headers })).status, 200);
  await app.codex.close();
  const failed = await app.send("POST", "threads", { body: {} });
  assert.equal(failed.status, 500);
  assert.deepEqual(await failed.json(), { error: "The server failed; its log says why" });
  assert.equal(errors.length, 1);
  assert.throws(() => createHandler(app.codex, {} as HandlerOptions), /needs `user`/);
});
