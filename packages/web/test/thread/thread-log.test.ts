import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { StoryTurn } from "../stories/log/make-thread.ts";
import { settled } from "../stories/log/settled.ts";
import { openStories, type Stories } from "../stories/log/story-page.ts";
import { becomes } from "../support/soon.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
after(() => stories[Symbol.asyncDispose]());

/** Turns with messages of different heights, named by their numbers. */
function turns(from: number, to: number): StoryTurn[] {
  return Array.from({ length: to - from }, (_, offset) => {
    const number = from + offset;
    const text = `Message ${number}.\n\n${"A sentence to fill it.\n\n".repeat((number * 7) % 11)}`;
    return { id: `turn-${number}`, items: [{ type: "agentMessage", id: `message-${number}`, text }] };
  });
}

const show = (page: Page, list: readonly StoryTurn[], rest = {}): Promise<void> =>
  page.evaluate(([shown, more]) => window.story.show(shown, more), [list, rest] as const);

/** How far the end of the log is below what is seen. */
const toEnd = (page: Page): Promise<number> =>
  page.getByRole("log").evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);

const topOfLog = (page: Page): Promise<number> => page.getByRole("log").evaluate((log) => log.scrollTop);

/** Turns the wheel up, and waits until the log has moved: the browser scrolls some time after it was asked to. */
async function wheelUp(page: Page, by: number): Promise<void> {
  const from = await topOfLog(page);
  await page.mouse.wheel(0, -by);
  await page.waitForFunction((top) => (document.querySelector("[role=log]")?.scrollTop ?? top) < top, from);
  await settled(page);
}

const inLog = (page: Page, text: string) => page.getByRole("log").getByText(text, { exact: true });

/** Where the row with this text begins on the screen. */
const topOf = (page: Page, text: string): Promise<number> =>
  inLog(page, text).evaluate((element) => element.getBoundingClientRect().top);

const newMessages = (page: Page) => page.getByRole("button", { name: "New messages" });

test("a thread opens at its end and follows what is added", async () => {
  await using story = await stories.open();
  const { page } = story;
  await show(page, turns(0, 200));
  await inLog(page, "Message 199.").waitFor();
  await settled(page);
  assert.ok((await toEnd(page)) <= 1);
  await page.evaluate((list) => window.story.add(list), turns(200, 203));
  await inLog(page, "Message 202.").waitFor();
  await settled(page);
  assert.ok((await toEnd(page)) <= 1);
});

test("who scrolls up stays there, is told of new messages, and is brought back by a click", async () => {
  await using story = await stories.open();
  const { page } = story;
  await show(page, turns(0, 100));
  await settled(page);
  await page.mouse.move(500, 400);
  await wheelUp(page, 30);
  await page.getByRole("button", { name: "Jump to the end" }).waitFor();
  await wheelUp(page, 2000);
  const before = await topOfLog(page);
  await page.evaluate((list) => window.story.add(list), turns(100, 101));
  await newMessages(page).waitFor();
  await settled(page);
  assert.equal(await topOfLog(page), before);
  await newMessages(page).click();
  await inLog(page, "Message 100.").waitFor();
  await settled(page);
  assert.ok((await toEnd(page)) <= 1);
  await newMessages(page).waitFor({ state: "detached" });
});

test("a message that grows at the end is followed, one above it does not move the reader", async () => {
  await using story = await stories.open();
  const { page } = story;
  await show(page, turns(0, 60));
  await settled(page);
  await page.evaluate(() => window.story.append("message-59", "more\n\n".repeat(30)));
  await settled(page);
  assert.ok((await toEnd(page)) <= 1);
  await page.getByRole("log").evaluate((log) => log.scrollTo({ top: log.scrollTop - 2500 }));
  await page.getByRole("button", { name: "Jump to the end" }).waitFor();
  await settled(page);
  // The first row that is wholly in sight, and one that is rendered above it.
  const [mark, above] = await page.getByRole("log").evaluate((log) => {
    const rows = [...log.querySelectorAll("[data-row=item]")];
    const seen = rows.findIndex((row) => row.getBoundingClientRect().top > 20);
    const name = (row: Element | undefined): string => /Message (\d+)/.exec(row?.textContent ?? "")?.[1] ?? "";
    return [name(rows[seen]), name(rows[seen - 2])];
  });
  const before = await topOf(page, `Message ${mark}.`);
  await page.evaluate((id) => window.story.append(`message-${id}`, "grown\n\n".repeat(20)), above);
  await settled(page);
  assert.ok(Math.abs((await topOf(page, `Message ${mark}.`)) - before) <= 1);
});

test("older turns are asked for before the top is reached, and come without moving the reader", async () => {
  await using story = await stories.open();
  const { page } = story;
  await show(page, turns(100, 160), { olderCursor: "page-2" });
  await settled(page);
  assert.deepEqual(await page.evaluate(() => window.story.calls), []);
  // Again where the end was still being followed: a script's scrolling says nothing before the next frame.
  await page.waitForFunction(() => {
    if (window.story.calls.length === 0) document.querySelector("[role=log]")?.scrollTo({ top: 300 });
    return window.story.calls.length > 0;
  });
  await settled(page);
  assert.deepEqual(await page.evaluate(() => window.story.calls), ["older page-2"]);
  const name = await page.getByRole("log").evaluate((log) => {
    const rows = [...log.querySelectorAll("[data-row=item]")];
    return /Message \d+\./.exec(rows.find((row) => row.getBoundingClientRect().top > 20)?.textContent ?? "")?.[0] ?? "";
  });
  const before = await topOf(page, name);
  await page.evaluate((list) => window.story.prepend(list, null), turns(0, 100));
  await settled(page);
  assert.ok(Math.abs((await topOf(page, name)) - before) <= 1, `${name} stays where it is`);
  await page.getByRole("log").evaluate((log) => log.scrollTo({ top: 0 }));
  await inLog(page, "Message 0.").waitFor();
});

test("what is unfolded stays in sight, also at the end of the log", async () => {
  await using story = await stories.open();
  const { page } = story;
  const output = Array.from({ length: 300 }, (_, line) => `line ${line}`).join("\n");
  await page.evaluate(
    ([list, aggregatedOutput]) => {
      const command = { ...{ type: "commandExecution", id: "c", command: "make", commandActions: [], cwd: "/" } };
      const item = { ...command, status: "completed", exitCode: 0, aggregatedOutput };
      window.story.show([...list, { id: "last", items: [item as never] }]);
    },
    [turns(0, 30), output] as const,
  );
  await settled(page);
  const line = page.getByRole("button", { name: /Ran make/ });
  await line.click();
  await page.getByRole("button", { name: "Show 290 earlier lines" }).click();
  await settled(page);
  const box = await line.boundingBox();
  assert.ok(box !== null && box.y >= 0 && box.y < 800);
  // Scrolled out of sight and back, it is as it was.
  await page.getByRole("log").evaluate((log) => log.scrollTo({ top: 0 }));
  await inLog(page, "Message 0.").waitFor();
  await page.getByRole("log").evaluate((log) => log.scrollTo({ top: log.scrollHeight }));
  await page.getByRole("button", { name: "Show the last lines only" }).waitFor();
});

test("a question is shown beside the item it is about", async () => {
  await using story = await stories.open();
  const { page } = story;
  const request = { ...{ id: "q1", hub: "hub", threadId: "thread", turnId: "turn-0", itemId: "message-0" } };
  const pending = [{ ...request, method: "x", params: {}, answered: null }];
  await show(page, turns(0, 2), { pending });
  await page.getByText("Question q1").waitFor();
  await page
    .getByRole("log")
    .filter({ hasText: /Message 0\..*Question q1.*Message 1\./s })
    .waitFor();
});

test("a thread of 20,000 items has but a few of them in the document", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate(() => window.story.showLong(20_000, 500));
  await page.getByRole("log").getByText("Message 19999.").waitFor();
  const rows = page.getByRole("log").locator("[data-row]");
  assert.ok((await rows.count()) < 60);
  for (const part of [0.5, 0.1, 0.9]) {
    await page.getByRole("log").evaluate((log, at) => log.scrollTo({ top: log.scrollHeight * at }), part);
    await settled(page);
    assert.ok((await rows.count()) < 60);
  }
});

test("who drags the scroll bar through a long thread sees text at every place, and is not pulled back", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate(() => window.story.showLong(20_000, 500));
  await page.getByRole("log").getByText("Message 19999.").waitFor();
  await settled(page);
  const places = await page.getByRole("log").evaluate(async (log) => {
    const frame = () => new Promise(requestAnimationFrame);
    const seen: { readonly asked: number; readonly covered: number; readonly off: number }[] = [];
    for (const part of [0.5, 0.1, 0.9, 0.3, 0.31, 0.7, 0.2, 0.6, 0.05, 0.45]) {
      const asked = log.scrollHeight * part;
      log.scrollTop = asked;
      // One frame to hear of it; what was painted in it is seen in the next.
      for (let frames = 0; frames < 2; frames++) await frame();
      const { top, bottom, height } = log.getBoundingClientRect();
      const covered = [...log.querySelectorAll("[data-row]")]
        .map((row) => row.getBoundingClientRect())
        .reduce((sum, row) => sum + Math.max(0, Math.min(row.bottom, bottom) - Math.max(row.top, top)), 0);
      seen.push({ asked: part, covered: Math.round((covered / height) * 100), off: Math.abs(log.scrollTop - asked) });
    }
    return seen;
  });
  for (const { asked, covered, off } of places) {
    assert.equal(covered, 100, `at ${asked} of the thread ${covered} % of what is seen is filled`);
    assert.ok(off < 800, `at ${asked} of the thread the reader was moved by ${off} px`);
  }
});

test("who leaves the end is not pulled back by what is shown again before the page hears of the move", async () => {
  await using story = await stories.open();
  const { page } = story;
  await show(page, turns(0, 200));
  await inLog(page, "Message 199.").waitFor();
  await settled(page);
  const [asked, at] = await page.getByRole("log").evaluate(async (log) => {
    log.scrollTop = log.scrollHeight / 2;
    const { scrollTop } = log;
    window.story.change({});
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    return [scrollTop, log.scrollTop];
  });
  assert.ok(Math.abs((at ?? 0) - (asked ?? 0)) < 800, `asked for ${asked}, at ${at}`);
  await page.getByRole("button", { name: "Jump to the end" }).waitFor();
});

test("a long stream costs its end: the document stays small, and what was said is not rendered again", async () => {
  await using story = await stories.open();
  const { page } = story;
  const turn = { status: "inProgress" as const };
  await page.evaluate((part) => {
    const item = { type: "agentMessage" as const, id: "a", text: "" };
    window.story.show([{ id: "t", items: [item], turn: part, running: ["a"] }]);
  }, turn);
  const stream = (times: number) =>
    page.evaluate(
      (count) => window.story.stream("a", "Some *words* that `matter`, and more of them.\n\n", count),
      times,
    );
  await stream(1000);
  await settled(page);
  const nodes = await page.locator("*").count();
  const changes = await page.evaluate(() => {
    const seen = { count: 0 };
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records) seen.count += addedNodes.length + removedNodes.length;
    }).observe(document.body, { subtree: true, childList: true });
    Object.assign(window, { seen });
    return seen.count;
  });
  assert.equal(changes, 0);
  await stream(3000);
  await settled(page);
  assert.ok((await page.locator("*").count()) < nodes * 2, "the document does not grow with the message");
  // Each of the 3,000 paragraphs comes and goes once, in a handful of nodes; rendered anew they would be half a million.
  const count = await page.evaluate(() => (window as unknown as { seen: { count: number } }).seen.count);
  assert.ok(count < 40_000, `${count} nodes came and went`);
  assert.ok((await toEnd(page)) <= 1);
});

test("output of a running command is followed in a document that stays small", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate(() => {
    const command = { ...{ type: "commandExecution", id: "c", command: "make", commandActions: [], cwd: "/" } };
    const item = { ...command, status: "inProgress", aggregatedOutput: "" };
    window.story.show([{ id: "t", items: [item as never], turn: { status: "inProgress" }, running: ["c"] }]);
  });
  await page.evaluate(() => window.story.stream("c", "\u001b[32mok\u001b[0m one more line\n", 10_000));
  await page.getByRole("button", { name: "Show 9,990 earlier lines" }).click();
  await settled(page);
  assert.ok((await page.locator(".ansi-line").count()) < 60);
});

test("loading, failure and emptiness are said in words", async () => {
  await using story = await stories.open();
  const { page } = story;
  await show(page, [], { loading: true });
  await page.getByText("Loading the thread").waitFor();
  await show(page, [], { error: "The rollout is gone. Start a new thread." });
  await page.getByText("The rollout is gone. Start a new thread.").waitFor();
  await show(page, []);
  await page.getByText("Nothing here yet").waitFor();
});

test("screen readers are told whole messages and the ends of turns, once", async () => {
  await using story = await stories.open();
  const { page } = story;
  await show(page, turns(0, 1));
  const live = page.locator('[aria-live="polite"].visually-hidden');
  await settled(page);
  await becomes(() => live.textContent(), "");
  await page.evaluate(() =>
    window.story.add([{ id: "new", items: [{ type: "agentMessage", id: "m", text: "All is well." }] }]),
  );
  await live.getByText("All is well. Turn done.").waitFor();
});
