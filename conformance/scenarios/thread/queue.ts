import { eventually, gate, httpError, reply } from "@quire/testkit";
import type { Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { beginTurn, endOfTurn, requestEach, startThread, text, unknownThread } from "../../lib/steps.ts";

const queued = (threadId: string, words: string) => ({
  threadId,
  clientUserMessageId: `id of ${words}`,
  input: [text(words)],
});

/** Messages that wait for their thread. */
export const queue: readonly Scenario[] = [
  {
    name: "queue/metadata",
    covers: "Metadata for the model's endpoint is kept with a message that waits, and changed with it",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      const held = gate();
      stage.model.script(reply().gate(held).text("slow"));
      await beginTurn(peer, thread, "first");
      await eventually(() => stage.model.requests.length > 0);
      const metadata = { responsesapiClientMetadata: { one: "1" } };
      const { queuedSubmission } = await peer.result("thread/queue/add", { ...queued(threadId, "two"), ...metadata });
      const { id: queuedSubmissionId } = queuedSubmission;
      await peer.request("thread/queue/list", { threadId });
      await requestEach(peer, "thread/queue/update", [
        { threadId, queuedSubmissionId, input: [text("two!")] },
        { threadId, queuedSubmissionId, input: [text("two!")], responsesapiClientMetadata: { two: "2" } },
      ]);
      await peer.request("thread/queue/delete", { threadId, queuedSubmissionId });
      held.open();
      await endOfTurn(peer);
    },
  },
  {
    name: "queue/kept",
    covers:
      "`thread/queue/add`, `list`, `update`, `delete`, `reorder` while a turn runs; then each gets its turn in order",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      const held = gate();
      stage.model.script(reply().gate(held).text("slow"));
      await beginTurn(peer, thread, "first");
      await eventually(() => stage.model.requests.length > 0);
      for (const words of ["two", "three", "four"]) await peer.request("thread/queue/add", queued(threadId, words));
      const page = await peer.result("thread/queue/list", { threadId, limit: 1 });
      await requestEach(peer, "thread/queue/list", [
        { threadId },
        { threadId, limit: 1, cursor: page.nextCursor },
        { threadId, limit: 0 },
        { threadId, cursor: "nope" },
      ]);
      const { data } = await peer.result("thread/queue/list", { threadId });
      const [two = "", three = "", four = ""] = data.map(({ id }) => id);
      await peer.request("thread/queue/start", { threadId });
      await requestEach(peer, "thread/queue/update", [
        { threadId, queuedSubmissionId: two, input: [text("two!")] },
        { threadId, queuedSubmissionId: two, input: [] },
        { threadId, queuedSubmissionId: "nope", input: [text("x")] },
      ]);
      await requestEach(peer, "thread/queue/reorder", [
        { threadId, queuedSubmissionIds: [two, three] },
        { threadId, queuedSubmissionIds: [two, three, three] },
        { threadId, queuedSubmissionIds: [four, three, two] },
      ]);
      await requestEach(peer, "thread/queue/delete", [
        { threadId, queuedSubmissionId: three },
        { threadId, queuedSubmissionId: three },
      ]);
      held.open();
      const ended = () => stage.log.filter(({ message }) => message.method === "turn/completed").length;
      await eventually(() => ended() === 3);
      await stage.silence();
      await peer.request("thread/queue/list", { threadId });
    },
    differences: [replyWords],
  },
  {
    name: "queue/idle",
    covers: "A message that is queued on an idle thread is answered at once; what cannot be queued",
    run: async (stage) => {
      const peer = await stage.connect();
      const { id: threadId } = await startThread(peer);
      await peer.request("thread/queue/start", { threadId });
      await peer.request("thread/queue/add", { ...queued(threadId, "x"), input: [] });
      await peer.request("thread/queue/add", queued(threadId, "one"));
      await endOfTurn(peer);
      await stage.silence();
      const { id: ephemeral } = await startThread(peer, { ephemeral: true });
      await requestEach(peer, "thread/queue/add", [
        queued(ephemeral, "x"),
        queued("bad", "x"),
        queued(unknownThread, "x"),
      ]);
    },
    differences: [replyWords],
  },
  {
    name: "queue/interrupted",
    covers: "After an interrupt the queue waits until it is started; after a failure it goes on",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      const held = gate();
      stage.model.script(reply().gate(held).text("slow"), httpError(400));
      const { id: turnId } = await beginTurn(peer, thread, "first");
      await eventually(() => stage.model.requests.length > 0);
      for (const words of ["two", "three", "four"]) await peer.request("thread/queue/add", queued(threadId, words));
      await peer.request("turn/interrupt", { threadId, turnId });
      await endOfTurn(peer, turnId);
      held.open();
      await stage.silence();
      const { data } = await peer.result("thread/queue/list", { threadId });
      await peer.request("thread/queue/start", { threadId, queuedSubmissionId: data[1]?.id });
      await eventually(() => stage.model.requests.length > 3);
      await stage.silence(500);
      await peer.request("thread/queue/list", { threadId });
    },
  },
  {
    name: "queue/restart",
    covers: "A queue outlives the server, and its thread goes on with it when it is resumed",
    run: async (stage) => {
      const first = await stage.connect();
      const thread = await startThread(first);
      await beginTurn(first, thread, "hello");
      await endOfTurn(first);
      await first.close();
      const peer = await stage.connect();
      await peer.request("thread/queue/add", queued(thread.id, "later"));
      await stage.kill();
      const next = await stage.connect();
      await next.request("thread/queue/list", { threadId: thread.id });
      await next.request("thread/resume", { threadId: thread.id });
      await endOfTurn(next);
      await stage.silence();
      await next.request("thread/queue/list", { threadId: thread.id });
    },
  },
];
