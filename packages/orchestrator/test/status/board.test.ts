import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { serveStatus } from "@quire/orchestrator";
import { eventually, tempDir } from "@quire/testkit";
import type { Delivery } from "../../src/deliver/delivery.ts";
import type { BoardAction } from "../../src/events/board.ts";
import type { FinishedIssue } from "../../src/events/snapshot.ts";
import { noTokens } from "../../src/session/token-meter.ts";
import { ClaimStore } from "../../src/state/claims.ts";
import { BoardView } from "../../src/status/board-feed.ts";
import { FakeControl } from "../support/fake-control.ts";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { again, crashImage, type Place, place } from "../support/place.ts";
import { bareRepository } from "../support/repository.ts";

const patient = { timeoutMs: 30_000 };

const columnOf = (at: Place, name: string, search = "") =>
  at.orchestrator.board({ search, limit: 1000 }).find((column) => column.name === name) ?? assert.fail(name);
const shown = (at: Place, name: string) => columnOf(at, name).cards.map(({ identifier }) => identifier);

describe("the board", () => {
  test("has every issue that waits, with its position or why it is held back, and finds by words", async () => {
    const blocker = { id: "id-B", identifier: "B", state: "Todo" };
    const many = Array.from({ length: 300 }, (_, index) => issueOf(`W-${index}`, { priority: 3 }));
    const tracker = new MemoryTracker(
      issueOf("A", { priority: 1 }),
      issueOf("B", { priority: 2 }),
      issueOf("HELD", { priority: 1, dispatchable: false, blockedBy: [blocker] }),
      ...many,
    );
    await using at = await place(tracker, { behaviour: "hang", settings: { agent: { max_concurrent_agents: 1 } } });
    await at.orchestrator.start();
    await at.until("the first to run", ({ running }) => running.length === 1);
    assert.deepEqual(shown(at, "running"), ["A"]);
    const waiting = columnOf(at, "waiting");
    assert.equal(waiting.count, 302);
    const by = (name: string) => waiting.cards.find(({ identifier }) => identifier === name);
    assert.deepEqual([by("HELD")?.position, by("HELD")?.reason], [null, "it waits for B"]);
    assert.deepEqual([by("B")?.position, by("B")?.reason], [1, "no free slot"]);
    assert.deepEqual([by("W-0")?.position, waiting.cards.at(-1)?.position], [2, 301]);
    assert.equal(columnOf(at, "waiting", "w-29").count, 11);
    assert.equal(at.orchestrator.issue("W-7")?.status, "waiting");
  });

  test("a priority that a person gives counts before the tracker's, also after a restart, until it is given back", async () => {
    const tracker = new MemoryTracker(issueOf("A", { priority: 1 }), issueOf("B", { priority: 2 }), issueOf("C"));
    await using at = await place(tracker, { behaviour: "hang", settings: { agent: { max_concurrent_agents: 1 } } });
    await at.orchestrator.start();
    await at.until("the first to run", ({ running }) => running.length === 1);
    assert.equal(await at.orchestrator.act("C", { name: "priority", priority: 1 }), undefined);
    await eventually(() => shown(at, "waiting").join() === "C,B", patient);
    assert.equal(await at.orchestrator.act("C", { name: "priority", priority: null }), undefined);
    await eventually(() => shown(at, "waiting").join() === "B,C", patient);
  });

  test("still has what finished long ago, with its pull request, and what waits for review however old", async () => {
    const end = (index: number) => ({
      ...{
        issueId: `id-${index}`,
        identifier: `F-${index}`,
        title: "T",
        url: null,
        state: "Done",
        outcome: "Succeeded",
      },
      ...{
        reason: "terminal",
        attempts: 1,
        turnCount: 1,
        at: index,
        tokens: noTokens,
        threadId: null,
        workspace: null,
      },
      error: null,
    });
    await using dir = await tempDir();
    const state = join(dir.path, "state.db");
    const delivery = (index: number, how: "open" | "merged") =>
      ({
        issue: issueOf(`F-${index}`, { id: `id-${index}` }),
        ...{ state: how, checks: "passed", review: "none", pull: { id: "1", url: `https://forge/${index}` } },
      }) as unknown as Delivery;
    {
      using store = new ClaimStore(state);
      for (let index = 0; index < 450; index++) store.remember(end(index) as FinishedIssue);
      store.deliveries.put(delivery(3, "open"));
      store.deliveries.put(delivery(4, "merged"));
    }
    await using at = await place(new MemoryTracker(), { stateFile: state });
    await at.orchestrator.start();
    assert.deepEqual(shown(at, "review"), ["F-3"]);
    assert.equal(columnOf(at, "finished").count, 449);
    assert.deepEqual(shown(at, "finished").slice(0, 2), ["F-449", "F-448"]);
    const found = columnOf(at, "finished", "f-4").cards.find(({ identifier }) => identifier === "F-4");
    assert.deepEqual([found?.identifier, found?.pullUrl, found?.checks], ["F-4", "https://forge/4", "passed"]);
    assert.equal(at.orchestrator.issue("F-4")?.delivery?.pullUrl, "https://forge/4");
  });

  test("an answer goes to a blocked issue's thread, as its next turn", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "needs" });
    await at.orchestrator.start();
    await at.until("it to be blocked", ({ blocked }) => blocked.length === 1);
    const said = await at.orchestrator.act("A", { name: "answer", text: "Use the blue one.\u{E0041}" });
    assert.equal(said, undefined);
    const turns = () => at.wire("A").filter(({ method }) => method === "turn/start");
    await eventually(() => turns().length === 2, patient);
    assert.equal(at.wire("A").find(({ method }) => method === "thread/resume")?.params.threadId, "thread-1");
    assert.match(turns()[1]?.params.input[0].text, /A person answered.*\n\nUse the blue one\.⟦U\+E0041⟧/s);
    assert.match((await at.orchestrator.act("A", { name: "answer", text: " " }))?.message ?? "", /Write what/);
  });

  test("an answer outlives a crash before its agent has heard it", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "needs" });
    await at.orchestrator.start();
    await at.until("it to be blocked", ({ blocked }) => blocked.length === 1);
    at.orchestrator.pause();
    assert.equal(await at.orchestrator.act("A", { name: "answer", text: "The blue one." }), undefined);
    const stateFile = crashImage(at);
    await at.orchestrator.shutDown();
    await using next = again(at, tracker, { stateFile });
    await next.start();
    const inputs = () => at.wire("A").filter(({ method }) => method === "turn/start");
    await eventually(() => inputs().length === 2, patient);
    assert.match(inputs()[1]?.params.input[0].text, /The blue one\./);
  });

  test("a pull request is sent back with words, and what is approved there is merged, and nothing that is pushed later", async () => {
    await using dir = await tempDir();
    const origin = bareRepository(dir.path);
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, {
      behaviour: "work",
      settings: {
        hooks: { after_create: `git clone -q '${origin.path}' .` },
        tracker: { active_states: ["Todo", "Rework"] },
        deliver: {
          ...{ to: "folder", provider: { path: join(dir.path, "pulls") }, remote: origin.path, merge: "approved" },
          states: { rework: "Rework", done: "Done" },
        },
      },
    });
    const act = (action: BoardAction) => at.orchestrator.act("A", action);
    const round = async (commits: number) => {
      await eventually(
        () => origin.git("branch", "--list", "quire/A") !== "" && origin.log("quire/A").length === commits,
        patient,
      );
      await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
      at.clock.advance(1000);
      await at.until("it to be let go", ({ finished, running }) => finished.length === 1 && running.length === 0);
    };
    await at.orchestrator.start();
    await round(2);
    assert.deepEqual(shown(at, "review"), ["A"]);
    assert.equal(await act({ name: "approve" }), undefined);
    assert.equal(await act({ name: "rework", text: "Say more." }), undefined);
    await round(3);
    assert.match(at.wire("A").flatMap(({ prompt }) => prompt ?? [])[1], /needs changes:\n\n- Say more\./);
    await at.look();
    assert.deepEqual(origin.log("main"), ["first"], "what was approved was something else");
    assert.equal(at.orchestrator.issue("A")?.delivery?.approved, false);
    assert.equal(await act({ name: "approve" }), undefined);
    assert.equal(at.orchestrator.issue("A")?.delivery?.approved, true);
    await eventually(() => tracker.state("A") === "Done", patient);
    assert.match((await at.orchestrator.diff("A"))?.text ?? "", /^\+\+\+ b\/reworked\.txt$/m);
    assert.match(origin.git("show", "main:reworked.txt"), /\d/);
    await eventually(() => shown(at, "finished").join() === "A", patient);
    assert.match((await act({ name: "approve" }))?.message ?? "", /no open pull request/);
    assert.equal((await at.orchestrator.act("NONE", { name: "approve" }))?.code, "issue_not_found");
  });
});

const card = (identifier: string, more: object = {}) => ({
  ...{ issueId: identifier, identifier, title: `Title of ${identifier}`, url: null, state: "Todo", priority: null },
  ...({ column: "waiting", checks: "none", review: "none" } as const),
  ...{ position: null, reason: null, runs: 0, turns: 0, tokens: 0, usd: null, threadId: null, host: null },
  ...{ pullUrl: null, since: null, ...more },
});

interface Page {
  readonly columns: readonly { readonly cards: readonly { readonly issue_identifier: string }[] }[];
}

describe("the board's API", () => {
  test("a reader is sent the board once, then only what has changed", () => {
    const control = new FakeControl();
    control.cards = Array.from({ length: 200 }, (_, index) => card(`W-${index}`));
    const view = new BoardView({ search: "", limit: 100 });
    const parse = (event: string | undefined) => JSON.parse(/data: (.*)/.exec(event ?? "")?.[1] ?? "null");
    const first = view.next(control);
    assert.match(first ?? "", /^event: board\n/);
    assert.equal(parse(first).columns[0].cards.length, 100);
    assert.equal(view.next(control), undefined);
    control.cards[5] = card("W-5", { reason: "another" });
    const second = view.next(control);
    assert.match(second ?? "", /^event: changes\n/);
    assert.deepEqual(
      parse(second).columns.map((column: { cards: object[]; move?: object }) => [column.cards.length, column.move]),
      [[1, undefined]],
    );
    control.cards.shift();
    const third = parse(view.next(control));
    assert.deepEqual(
      [third.columns[0].cards.length, third.columns[0].move, third.columns[0].count],
      [1, { gone: ["W-0"], came: [[99, "W-100"]] }, 199],
    );
    assert.equal(third.summary, undefined);
  });

  test("pages and actions need the token, and what is no action is refused", async () => {
    const control = new FakeControl();
    control.cards = [card("W-1"), card("X-2")];
    await using server = serveStatus(control, { port: 0 });
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
    const board = async (query: string) =>
      (await (await fetch(`${server.url}api/v1/board${query}`, { headers })).json()) as Page;
    assert.deepEqual((await board("?q=X&limit=1")).columns[0]?.cards[0]?.issue_identifier, "X-2");
    assert.equal((await board("?limit=junk")).columns.length, 6);
    const post = async (path: string, body: unknown, more: Record<string, string> = headers) => {
      const init = { method: "POST", headers: more, body: JSON.stringify(body) };
      return (await fetch(`${server.url}api/v1/issues/${path}`, init)).status;
    };
    assert.equal(await post("W-1/approve", {}), 202);
    assert.equal(await post("W-1/rework", { text: "More" }), 202);
    assert.equal(await post("W-1/priority", { priority: null }), 202);
    assert.deepEqual(control.commands, [
      '{"name":"approve"} W-1',
      '{"name":"rework","text":"More"} W-1',
      '{"name":"priority","priority":null} W-1',
    ]);
    for (const [path, body] of [
      ["W-1/rework", {}],
      ["W-1/answer", { text: 5 }],
      ["W-1/priority", { priority: 9 }],
      ["W-1/priority", []],
    ] as const) {
      assert.equal(await post(path, body), 400, path);
    }
    control.diffs = { "W-1": "a\n", "X-2": "line\n".repeat(300_000) };
    const diff = async (name: string, more = headers) =>
      fetch(`${server.url}api/v1/issues/${name}/diff`, { headers: more });
    assert.deepEqual(await (await diff("W-1")).json(), { diff: "a\n", is_cut: false });
    const long = (await (await diff("X-2")).json()) as { diff: string; is_cut: boolean };
    assert.deepEqual([long.is_cut, long.diff.length <= 1024 * 1024, long.diff.endsWith("line\n")], [true, true, true]);
    assert.deepEqual([(await diff("NONE")).status, (await diff("%ff")).status], [404, 400]);
    assert.equal((await diff("W-1", { authorization: "", "content-type": "" })).status, 401);
    assert.equal(await post("NONE/approve", {}), 404);
    assert.equal(await post("W-1/approve", {}, { "content-type": "application/json" }), 401);
    assert.equal(await post("W-1/approve", {}, { ...headers, origin: "https://evil.example" }), 403);
    assert.equal(await post("W-1/approve", {}, { ...headers, "content-type": "text/plain" }), 415);
  });
});
