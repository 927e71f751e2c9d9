import { after, before, test } from "node:test";
import { openStories, type Stories } from "../stories/log/story-page.ts";
import { becomes } from "../support/soon.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
after(() => stories[Symbol.asyncDispose]());

test("a command that runs is told as running, and as done once it is", async () => {
  await using story = await stories.open();
  const { page } = story;
  const show = (status: "inProgress" | "completed" | "declined") =>
    page.evaluate((how) => {
      const command = { type: "commandExecution" as const, cwd: "/work/app", status: how };
      const items = [
        { ...command, id: "list", command: "ls", commandActions: [{ type: "listFiles" as const, command: "ls" }] },
        { ...command, id: "run", command: "make", commandActions: [] },
      ];
      const running = how === "inProgress";
      const turn = { status: running ? ("inProgress" as const) : ("completed" as const) };
      window.story.show([{ id: "t", items, turn, running: running ? ["list", "run"] : [] }]);
    }, status);
  const titles = () => page.locator(".items-title").allTextContents();
  await show("inProgress");
  await becomes(titles, ["Listing files", "Running"]);
  await show("completed");
  await becomes(titles, ["Listed files", "Ran"]);
  await show("declined");
  await becomes(titles, ["List files", "Run"]);
});

test("the title of a thought is read as markdown, also while it is written, and holds no links", async () => {
  await using story = await stories.open();
  const { page } = story;
  const shows = async (summary: string, html: string) => {
    await page.evaluate((text) => {
      const item = { type: "reasoning" as const, id: "r", summary: [text], content: [] };
      window.story.show([{ id: "t", items: [item], turn: { status: "inProgress" }, running: ["r"] }]);
    }, summary);
    await becomes(() => page.locator(".items-detail").innerHTML(), html);
  };
  await shows("**Looking for", "Looking for");
  await shows("**Looking for the limit** \n\nIn `push`.", "Looking for the limit");
  await shows("**Reading `push`** now", '<strong>Reading <code class="md-code">push</code></strong> now');
  await shows("## See [the docs](https://example.com) <b>", "See the docs &lt;b&gt;");
});
