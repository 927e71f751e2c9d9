import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ThreadItem } from "@quire/protocol";
import { openStories, type Stories } from "../stories/log/story-page.ts";

let stories: Stories;
before(async () => {
  stories = await openStories();
});
after(() => stories[Symbol.asyncDispose]());

const attack = "window.hit = true";
const texts = [
  `<script>${attack}</script><img src=x onerror="${attack}"><svg onload="${attack}"></svg>`,
  `<iframe src="javascript:${attack}"></iframe><base href="https://evil.example/"><style>*{display:none}</style>`,
  `[link](javascript:${attack}) [tab](java\tscript:${attack}) [data](data:text/html,<script>${attack}</script>)`,
  `[vb](vbscript:x) [file](file:///etc/passwd) <javascript:${attack}> [entity](&#106;avascript:${attack})`,
  "![remote](https://evil.example/pixel.png) ![svg](data:image/svg+xml;base64,PHN2Zy8+)",
  `[ref]\n\n[ref]: javascript:${attack}\n\n![i](x"onerror="${attack})`,
  `\`\`\`<img onerror=${attack}>\n<script>${attack}</script>\n\`\`\``,
  `| <b onclick="${attack}">a</b> |\n|---|\n| <a href="javascript:${attack}">b</a> |`,
  `${"> ".repeat(5000)}deep ${"[".repeat(5000)} ${"*".repeat(5000)}`,
];
const output = [
  `\u001b]8;;javascript:${attack}\u0007link\u001b]8;;\u0007`,
  `\u001b]0;title\u0007<img src=x onerror="${attack}">`,
  `\u001b[38;2;999;0;0mred\u001b[48;5;url(//evil)m\u001b[31;expression(x)mtext`,
  `\u001b]unterminated <script>${attack}</script>`,
].join("\n");
const path = `"><img src=x onerror="${attack}">.ts`;
const diff = `@@ -1,2 +1,2 @@ <script>${attack}</script>\n-<img src=x onerror="${attack}">\n+</span><script>${attack}</script>\n`;

/** The same attacks in every place where a model, a tool or a file can put text. */
const items = [
  ...texts.map((text, index) => ({ type: "agentMessage", id: `agent-${index}`, text })),
  ...texts.map((text, index) => ({ type: "plan", id: `plan-${index}`, text })),
  {
    type: "userMessage",
    id: "user",
    content: [
      { type: "text", text: texts.join("\n") },
      { type: "image", url: "https://evil.example/i.png" },
    ],
  },
  { type: "reasoning", id: "reasoning", summary: texts, content: texts },
  ...[{ command: `echo ${texts[0]}`, cwd: path, status: "failed", exitCode: 1 }].map((rest) => ({
    ...{ type: "commandExecution", id: "command", commandActions: [], aggregatedOutput: output },
    ...rest,
  })),
  { type: "fileChange", id: "change", status: "completed", changes: [{ path, kind: { type: "update" }, diff }] },
  {
    ...{
      type: "mcpToolCall",
      id: "mcp",
      server: texts[0],
      tool: texts[0],
      arguments: { a: texts[0] },
      status: "failed",
    },
    ...{ error: { message: texts[0] }, result: { content: texts.map((text) => ({ type: "text", text })) } },
  },
  { type: "webSearch", id: "web", query: texts[0], results: [{ title: texts[0], url: `javascript:${attack}` }] },
  { type: "imageView", id: "view", path: `/x/${path}.png` },
  { type: texts[0], id: "unknown", data: texts },
] as unknown as readonly ThreadItem[];

test("nothing that a model, a tool or a file says can run, load or lead anywhere it should not", async () => {
  await using story = await stories.open();
  const { page, problems } = story;
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const found = await page.evaluate(async (list) => {
    const forbidden =
      "script,iframe,object,embed,base,style,link,form,svg:not(.lucide),[srcdoc],[onclick],[onerror],[onload]";
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const result = { bad: [] as string[], sources: [] as string[], links: [] as string[] };
    for (const item of list) {
      window.story.show([{ id: `turn of ${item.id}`, items: [item] }]);
      await frame();
      // Whatever is folded is opened too.
      for (const button of document.querySelectorAll<HTMLElement>('[aria-expanded="false"]')) button.click();
      await frame();
      const log = document.querySelector("[role=log]");
      if ((log?.textContent ?? "") === "") result.bad.push(`${item.id} is not shown`);
      for (const element of log?.querySelectorAll(forbidden) ?? []) result.bad.push(element.outerHTML);
      for (const image of log?.querySelectorAll("img") ?? []) result.sources.push(image.src);
      for (const link of log?.querySelectorAll("a") ?? []) {
        result.links.push(`${link.protocol} ${link.target} ${link.rel}`);
      }
    }
    return result;
  }, items);
  assert.deepEqual(found.bad, [], "elements that a text must not make");
  for (const source of found.sources) assert.match(source, /^data:image\/(png|jpeg|gif|webp);base64,/);
  for (const link of found.links) assert.match(link, /^(https?|mailto): _blank noopener noreferrer nofollow$/);
  assert.ok(found.links.length > 0, "the links that may be followed are there");

  // The diff comes with a file of its own, so it may be later than the rest.
  await page.evaluate((list) => window.story.show([{ id: "diff", items: list }]), items.filter(isChange));
  await page.locator(".diff-added", { hasText: "</span><script>" }).waitFor();
  assert.equal(await page.locator("[role=log] script").count(), 0);

  assert.equal(await page.evaluate(() => "hit" in window), false, "a script ran");
  const { origin } = new URL(page.url());
  assert.deepEqual(
    requests.filter((url) => !url.startsWith(origin) && !url.startsWith("data:")),
    [],
  );
  assert.deepEqual(problems, [], "not even an attempt that the content policy would have stopped");
});

const isChange = (item: ThreadItem): boolean => item.type === "fileChange";

test("marks that turn the direction of writing cannot disguise a command or a path", async () => {
  await using story = await stories.open();
  const { page } = story;
  await page.evaluate(() => {
    const command = "rm -rf \u202egpj.x";
    const item = {
      ...{ type: "commandExecution", id: "c", command, commandActions: [] },
      cwd: "/",
      status: "failed",
      exitCode: 1,
    };
    window.story.show([{ id: "t", items: [item as never] }]);
  });
  await page.getByText("⟦U+202E⟧gpj.x").first().waitFor();
  assert.equal((await page.getByRole("log").textContent())?.includes("\u202e"), false);
});
