import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { startWorker } from "../../src/app/service-worker.ts";

type Scope = Parameters<typeof startWorker>[0];
type Event = Parameters<Parameters<Scope["addEventListener"]>[1]>[0];

const notice = {
  ...{ kind: "asks", hub: "local 1", thread: "t/1", title: "Mend it", body: "rm -r dist", question: "q" },
} as const;
const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

/** A worker with pages around it. */
function worker(pages: readonly { readonly visibilityState: string }[] = [], status = 204) {
  const listeners = new Map<string, (event: Event) => void>();
  const shown: [string, Record<string, unknown>][] = [];
  const did: unknown[] = [];
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    did.push(["fetch", path, JSON.parse(String(init.body))]);
    return new Response(null, { status });
  }) as typeof fetch;
  startWorker({
    registration: { showNotification: async (title, options) => void shown.push([title, options as never]) },
    clients: {
      matchAll: async () =>
        pages.map((page) => ({
          ...{ url: "/", ...page },
          focus: async () => did.push("focus"),
          navigate: async (url: string) => did.push(["navigate", url]),
        })),
      openWindow: async (url) => did.push(["open", url]),
    },
    skipWaiting: async () => undefined,
    addEventListener: (type, listener) => void listeners.set(type, listener),
  });
  const send = async (type: string, event: Partial<Event>): Promise<void> => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)?.({ ...event, waitUntil: (each) => void work.push(each) } as Event);
    await Promise.all(work);
  };
  const click = (action: string, data: object = notice) =>
    send("notificationclick", { action, notification: { data: data as never, close: () => did.push("close") } });
  return { shown, did, click, push: (data: object) => send("push", { data: { json: () => data } }) };
}

test("news is shown where no page is in sight, with answers where all of the question is shown", async () => {
  const away = worker([{ visibilityState: "hidden" }]);
  await away.push(notice);
  await away.push({ ...notice, question: null });
  const [[title, options] = [], [, plain] = []] = away.shown;
  assert.equal(title, "Mend it");
  assert.equal(options?.body, "rm -r dist");
  assert.deepEqual(
    ((options?.actions ?? []) as { action: string }[]).map(({ action }) => action),
    ["approve", "decline"],
  );
  assert.deepEqual(plain?.actions, []);
  const here = worker([{ visibilityState: "visible" }]);
  await here.push(notice);
  assert.deepEqual(here.shown, []);
});

test("a notice is answered without the page; what cannot be answered is opened", async () => {
  const approved = worker();
  await approved.click("approve");
  assert.deepEqual(approved.did, ["close", ["fetch", "/api/answer", { hub: "local 1", question: "q", approve: true }]]);
  const address = "/#/thread/local%201/t%2F1";
  const over = worker([], 410);
  await over.click("decline");
  assert.deepEqual(over.did.at(-1), ["open", address]);
  const opened = worker([{ visibilityState: "hidden" }]);
  await opened.click("");
  assert.deepEqual(opened.did, ["close", "focus", ["navigate", address]]);
  const unasked = worker();
  await unasked.click("approve", { ...notice, question: null });
  assert.deepEqual(unasked.did, ["close", ["open", address]]);
});
