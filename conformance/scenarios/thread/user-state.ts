import { gate, reply } from "@quire/testkit";
import type { DeclaredDifference, Scenario } from "../../lib/scenario.ts";
import { replyWords } from "../../lib/shared-differences.ts";
import { beginTurn, endOfTurn, requestEach, runTurn, startThread, unknownThread } from "../../lib/steps.ts";

/** Times within one second are the same to the real server. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1050));

const ownPositions: DeclaredDifference = {
  at: /^reply thread\/timeline\/list result\.data\.position/,
  reason: "Positions count what is listed; Codex counts the lines of its file.",
};

/** Sections, projects, attachments and read marks of a user. */
export const userState: readonly Scenario[] = [
  {
    name: "user-state/read-state",
    covers:
      "`thread/readState/update` and `changed`; `readState` in `thread/read` and `thread/list`, also after a crash",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      const update = async (type: "read" | "unread", expectedRevision?: string) => {
        const revision = expectedRevision ?? (await peer.result("thread/read", { threadId })).readState?.revision;
        await peer.request("thread/readState/update", { threadId, expectedRevision: revision, operation: { type } });
      };
      await update("read", "0");
      await runTurn(peer, thread, "one");
      await update("read");
      await update("read", "nope");
      await runTurn(peer, thread, "two");
      await runTurn(peer, thread, "three");
      await peer.request("thread/list", {});
      await update("unread");
      const held = gate();
      stage.model.script(reply().gate(held).text("never"));
      const { id: turnId } = await beginTurn(peer, thread, "four");
      await stage.model.waitFor(({ lastUserText }) => lastUserText === "four");
      await peer.request("turn/interrupt", { threadId, turnId });
      await endOfTurn(peer, turnId);
      held.open();
      await requestEach(peer, "thread/readState/update", [
        { threadId: unknownThread, expectedRevision: "x", operation: { type: "read" } },
        { threadId: "bad", expectedRevision: "x", operation: { type: "read" } },
      ]);
      const ephemeral = await startThread(peer, { ephemeral: true });
      await runTurn(peer, ephemeral, "hello");
      await stage.kill();
      const next = await stage.connect();
      await next.request("thread/read", { threadId });
      await next.request("thread/list", {});
    },
    // They come with the end of an interrupted turn if the response had begun.
    erratic: ["account/rateLimits/updated", "thread/tokenUsage/updated"],
    differences: [replyWords],
  },
  {
    name: "user-state/sections",
    covers: "`threadSection/*`, `thread/section/move`, and listing a section in the user's order",
    run: async (stage) => {
      const peer = await stage.connect();
      const page = await peer.result("threadSection/list", {});
      await requestEach(peer, "threadSection/create", [{ name: " " }, { name: "Dull" }]);
      const { section } = await peer.result("threadSection/create", { name: " Work ", appearance: { color: "red" } });
      const { id: sectionId } = section;
      await requestEach(peer, "threadSection/list", [
        { limit: 1 },
        { limit: 1, cursor: page.data[0]?.id },
        { limit: 0 },
        { cursor: "nope" },
      ]);
      await requestEach(peer, "threadSection/update", [
        { sectionId, name: "Work 2" },
        { sectionId, name: "Work 3", appearance: { icon: "star" } },
        { sectionId, name: "" },
        { sectionId: "nope", name: "x" },
      ]);
      const first = await startThread(peer);
      await runTurn(peer, first, "one");
      await nextSecond();
      const second = await startThread(peer);
      await runTurn(peer, second, "two");
      await nextSecond();
      const silent = await startThread(peer);
      const ephemeral = await startThread(peer, { ephemeral: true });
      await requestEach(peer, "thread/section/move", [
        { threadId: first.id, sectionId },
        { threadId: second.id, sectionId, beforeThreadId: first.id },
        { threadId: silent.id, sectionId },
        { threadId: ephemeral.id, sectionId },
        { threadId: unknownThread, sectionId },
        { threadId: "bad", sectionId },
        { threadId: first.id, sectionId: "nope" },
        { threadId: first.id, sectionId, beforeThreadId: unknownThread },
        { threadId: first.id, sectionId, beforeThreadId: first.id },
        { threadId: first.id, sectionId: null, beforeThreadId: second.id },
      ]);
      const part = await peer.result("thread/list", { sectionId, sortKey: "section_position", limit: 1 });
      await requestEach(peer, "thread/list", [
        {},
        { sectionId },
        { sectionId: "nope" },
        { sectionId, sortKey: "section_position" },
        { sectionId, sortKey: "section_position", sortDirection: "desc" },
        { sectionId, sortKey: "section_position", limit: 1, cursor: part.nextCursor },
      ]);
      await peer.request("thread/read", { threadId: first.id });
      await requestEach(peer, "thread/section/move", [{ threadId: first.id, sectionId: null }]);
      await requestEach(peer, "threadSection/delete", [{ sectionId }, { sectionId }]);
      await peer.request("thread/list", {});
      await stage.kill();
      const next = await stage.connect();
      await next.request("threadSection/list", {});
    },
    differences: [replyWords],
  },
  {
    name: "user-state/projects",
    covers: "`project/*`, and threads that belong to one",
    run: async (stage) => {
      const peer = await stage.connect();
      const make = (idempotencyKey: string, name: string, roots: readonly string[] = []) => ({
        idempotencyKey,
        name,
        roots: roots.map((path) => ({ path })),
      });
      const { project: one } = await peer.result("project/create", make("k1", " One ", [stage.cwd]));
      await requestEach(peer, "project/create", [
        make("k1", "One", [stage.cwd]),
        make("k2", ""),
        make("", "x"),
        make("k3", "x", ["relative"]),
        make("k4", "x", ["/a", "/a"]),
      ]);
      const { project: two } = await peer.result("project/create", { ...make("k5", "Two"), metadata: { a: "b" } });
      const page = await peer.result("project/list", { limit: 1 });
      await requestEach(peer, "project/list", [
        {},
        { limit: 1, cursor: page.nextCursor },
        { cursor: "nope" },
        { sortDirection: "desc" },
        { sortKey: "position", sortDirection: "desc" },
      ]);
      await requestEach(peer, "project/read", [{ projectId: one.id }, { projectId: "nope" }]);
      await requestEach(peer, "project/update", [
        { projectId: one.id, name: "One!", roots: [{ path: "/usr" }], metadata: { x: "y" } },
        { projectId: one.id, name: "One!" },
        { projectId: one.id, name: "" },
        { projectId: "nope", name: "x" },
      ]);
      await requestEach(peer, "project/move", [
        { projectId: two.id, beforeProjectId: one.id },
        { projectId: two.id, beforeProjectId: two.id },
        { projectId: two.id, beforeProjectId: "nope" },
        { projectId: "nope" },
      ]);
      await peer.request("project/list", {});
      const within = await startThread(peer, { projectId: one.id });
      await runTurn(peer, within, "one");
      await peer.request("thread/start", { projectId: unknownThread });
      await nextSecond();
      const other = await startThread(peer);
      await runTurn(peer, other, "two");
      await requestEach(peer, "thread/metadata/update", [
        { threadId: other.id, projectId: two.id },
        { threadId: other.id, projectId: unknownThread },
        { threadId: other.id, projectId: "" },
        { threadId: other.id, projectId: null },
      ]);
      await requestEach(peer, "thread/list", [{}, { projectId: one.id }, { projectId: unknownThread }]);
      await requestEach(peer, "project/list", [{ sortKey: "recencyAt" }]);
      await requestEach(peer, "project/import", [
        { ...make("i1", "Imported"), threads: [other.id, unknownThread] },
        { ...make("i1", "Imported"), threads: [other.id] },
      ]);
      await requestEach(peer, "project/delete", [{ projectId: one.id }, { projectId: one.id }]);
      await peer.request("project/create", make("k1", "One"));
      await stage.kill();
      const next = await stage.connect();
      await next.request("project/list", {});
      await next.request("thread/list", {});
    },
    differences: [replyWords],
  },
  {
    name: "user-state/attachments",
    covers: "`thread/attachment/*` and who owns one",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      await peer.request("thread/attachment/add", { threadId, attachmentType: "x", identityKey: "k", payload: 1 });
      await runTurn(peer, thread, "hello");
      await requestEach(peer, "thread/attachment/add", [
        { threadId, attachmentType: "pr", identityKey: "k1", payload: { a: 1 } },
        { threadId, attachmentType: "pr", identityKey: "k1", payload: { a: 2 } },
        { threadId, attachmentType: "issue", identityKey: "k2", payload: null },
        { threadId, attachmentType: "", identityKey: "k", payload: 1 },
        { threadId, attachmentType: "x", identityKey: "", payload: 1 },
        { threadId: unknownThread, attachmentType: "x", identityKey: "k", payload: 1 },
        { threadId: "bad", attachmentType: "x", identityKey: "k", payload: 1 },
      ]);
      const page = await peer.result("thread/attachment/list", { threadId, limit: 1 });
      await requestEach(peer, "thread/attachment/list", [
        { threadId, limit: 1, cursor: page.nextCursor },
        { threadId, cursor: "nope" },
        { threadId: unknownThread },
      ]);
      await requestEach(peer, "thread/attachmentOwner/list", [
        { attachmentType: "pr", identityKey: "k1" },
        { attachmentType: "pr", identityKey: "k1", archived: true },
        { attachmentType: "pr", identityKey: "none" },
      ]);
      const own = { threadId, attachmentType: "pr", identityKey: "k1" };
      await requestEach(peer, "thread/attachment/remove", [own, own]);
      await stage.kill();
      const next = await stage.connect();
      await next.request("thread/attachment/list", { threadId });
    },
    differences: [replyWords],
  },
  {
    name: "user-state/timeline",
    covers: "`thread/timeline/list` and `thread/searchOccurrences`",
    run: async (stage) => {
      const peer = await stage.connect();
      const thread = await startThread(peer);
      const { id: threadId } = thread;
      stage.model.script(reply().text("the needle is here and needle there"), reply().text("ok"));
      await runTurn(peer, thread, "find the Needle");
      await runTurn(peer, thread, "again");
      const page = await peer.result("thread/timeline/list", { threadId, limit: 2 });
      await requestEach(peer, "thread/timeline/list", [
        { threadId },
        { threadId, limit: 2, cursor: page.nextCursor },
        { threadId, cursor: "nope" },
      ]);
      const hits = await peer.result("thread/searchOccurrences", { threadId, searchTerm: "needle", limit: 1 });
      await requestEach(peer, "thread/searchOccurrences", [
        { threadId, searchTerm: "needle" },
        { threadId, searchTerm: "needle", limit: 1, cursor: hits.nextCursor },
        { threadId, searchTerm: "" },
        { threadId, searchTerm: "nowhere" },
        { threadId, searchTerm: "x", cursor: "nope" },
      ]);
    },
    differences: [ownPositions],
  },
];
