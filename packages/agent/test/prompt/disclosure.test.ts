import assert from "node:assert/strict";
import { test } from "node:test";
import {
  definePrompt,
  markdown,
  PromptValidationError,
  Session,
  tool,
  VisibilityExpansionRequired,
} from "@quire/agent";
import type { RenderedPrompt } from "@quire/agent/prompts";
import { SetVisibilityOverride } from "@quire/agent/sessions";
import { ToolBridge } from "@quire/agent/tools";
import { z } from "zod";

const probe = tool({ name: "probe", description: "Probes", run: null });
const deep = markdown({
  key: "deep",
  title: "Deep",
  template: "deep text",
  visibility: "summary",
  summary: "deep short",
});
const guide = markdown({
  key: "guide",
  title: "Guide",
  template: "guide text",
  summary: "guide short",
  visibility: "summary",
  children: [markdown({ key: "steps", title: "Steps", template: "steps text", children: [deep] })],
});
const kit = markdown({
  key: "kit",
  title: "Kit",
  template: "kit text",
  summary: "kit short",
  visibility: "summary",
  tools: [probe],
});
const task = markdown({ key: "task", title: "Task", template: "task text" });
const names = ({ tools }: RenderedPrompt) => tools.map(({ name }) => name);

/** Calls a tool of a rendered prompt as the server would. */
async function calling(sections: readonly (typeof task)[], session = new Session()) {
  const prompt = definePrompt({ ns: "n", key: "k", sections }).bind();
  const lease = await prompt.resources.enter();
  const rendered = await prompt.render({ session });
  const bridge = new ToolBridge({ prompt, rendered, session });
  const call = async (name: string, args: object) => {
    const ids = { callId: "c", threadId: "t", turnId: "u" };
    const { success, contentItems } = await bridge.call({ tool: name, arguments: args as never, ...ids });
    return { success, text: contentItems.map((item) => (item.type === "inputText" ? item.text : "")).join("\n") };
  };
  return { rendered, bridge, call, session, end: () => lease[Symbol.asyncDispose]() };
}

test("1.25: how much of a section is shown is constant, or depends on parameters and session; the session has the last word", async () => {
  const params = z.object({ brief: z.boolean() });
  const seen: unknown[] = [];
  const chosen = markdown({
    key: "a",
    title: "A",
    template: "long",
    summary: "short",
    params,
    visibility: ({ brief }, { session }) => {
      seen.push(session);
      return brief ? "summary" : "full";
    },
  });
  const template = definePrompt({ ns: "n", key: "k", sections: [chosen] });
  const session = new Session();
  assert.match((await template.bind({ brief: true }).render({ session })).text, /short/);
  assert.match((await template.bind({ brief: false }).render()).text, /long/);
  assert.deepEqual(seen, [session, undefined]);
  session.dispatch(SetVisibilityOverride({ path: "a", visibility: "full" }));
  assert.match((await template.bind({ brief: true }).render({ session })).text, /long/);
  session.dispatch(SetVisibilityOverride({ path: "a", visibility: "summary" }));
  assert.match((await template.bind({ brief: false }).render({ session })).text, /short/);
});

test("1.25: a session cannot ask for a summary that does not exist", async () => {
  const session = new Session();
  session.dispatch(SetVisibilityOverride({ path: "task", visibility: "summary" }));
  const prompt = definePrompt({ ns: "n", key: "k", sections: [task] }).bind();
  await assert.rejects(
    prompt.render({ session }),
    (error) => error instanceof PromptValidationError && error.path === "task",
  );
});

test("1.26: a summary stands for the section, with the way to the whole of it; what is in the section is left out", async () => {
  const skill = { name: "s", source: "/s" } as never;
  const skilled = markdown({
    key: "skilled",
    title: "S",
    template: "x",
    summary: "y",
    visibility: "summary",
    skills: [skill],
  });
  const rendered = await definePrompt({ ns: "n", key: "k", sections: [guide, kit, skilled] })
    .bind()
    .render();
  assert.ok(
    rendered.text.startsWith(
      '## 1. Guide (guide)\n\nguide short\n\nThis is a summary. To see the whole section, call `read_section` with the section key "guide". It holds guide.steps, guide.steps.deep.',
    ),
    rendered.text,
  );
  assert.match(rendered.text, /kit short\n\n.* call `open_sections` with the section key "kit"\./);
  assert.doesNotMatch(rendered.text, /(guide|steps|kit|deep) text/);
  assert.ok(!names(rendered).includes("probe"));
  assert.deepEqual(rendered.skills, []);
});

test("1.27: the model gets the tools by which it can ask for what summaries leave out, and only those it needs", async () => {
  const tools = async (...sections: (typeof task)[]) =>
    names(await definePrompt({ ns: "n", key: "k", sections }).bind().render());
  assert.deepEqual(await tools(task), []);
  assert.deepEqual(await tools(guide), ["read_section"]);
  assert.deepEqual(await tools(kit), ["open_sections"]);
  assert.deepEqual(await tools(guide, kit), ["open_sections", "read_section"]);
  const rendered = await definePrompt({ ns: "n", key: "k", sections: [guide, kit] })
    .bind()
    .render();
  assert.ok(rendered.tools.every(({ acceptsOverrides }) => !acceptsOverrides));
  assert.deepEqual(
    rendered.descriptor.tools.map(({ name }) => name),
    ["probe"],
  );
});

test("1.28: open_sections refuses no keys, unknown keys, and sections that are open already", async () => {
  const { call, end, bridge } = await calling([task, kit]);
  const open = (...section_keys: string[]) => call("open_sections", { section_keys, reason: "why" });
  for (const [keys, expected] of [
    [[], /Name the sections/],
    [[" "], /Name the sections/],
    [["kit", "nowhere"], /no sections nowhere/],
    [["task"], /open already/],
  ] as const) {
    const { success, text } = await open(...keys);
    assert.equal(success, false);
    assert.match(text, expected);
  }
  assert.equal(bridge.expansion, undefined);
  await end();
});

test("1.28: open_sections asks whoever evaluates to show the sections, with those above that hide them", async () => {
  const { call, end, bridge } = await calling([task, guide, kit]);
  const { success, text } = await call("open_sections", {
    section_keys: ["kit", "task", "guide.steps.deep"],
    reason: "need",
  });
  assert.equal(success, true);
  assert.match(text, /kit, task, guide\.steps\.deep/);
  const { expansion } = bridge;
  assert.ok(expansion instanceof VisibilityExpansionRequired);
  assert.deepEqual(expansion.requestedOverrides, {
    kit: "full",
    guide: "full",
    "guide.steps": "full",
    "guide.steps.deep": "full",
  });
  assert.equal(expansion.reason, "need");
  assert.deepEqual(expansion.sectionKeys, ["kit", "task", "guide.steps.deep"]);
  await end();
});

test("1.29: what is asked for is there after an override for each path, tools included", async () => {
  const session = new Session();
  const { call, end, bridge } = await calling([kit, guide], session);
  await call("open_sections", { section_keys: ["kit", "guide"], reason: "need" });
  for (const [path, visibility] of Object.entries(bridge.expansion?.requestedOverrides ?? {}))
    session.dispatch(SetVisibilityOverride({ path, visibility }));
  await end();
  const after = await definePrompt({ ns: "n", key: "k", sections: [kit, guide] })
    .bind()
    .render({ session });
  assert.match(after.text, /kit text[\s\S]*guide text[\s\S]*steps text[\s\S]*deep short/);
  assert.deepEqual(names(after), ["probe", "read_section"]);
});

test("1.28: read_section gives the text alone, with the sections in it as they are shown", async () => {
  const { call, end, rendered, session } = await calling([task, guide]);
  const { success, text } = await call("read_section", { section_key: "guide" });
  assert.equal(success, true);
  assert.match(
    text,
    /^## 2\. Guide \(guide\)\n\nguide text\n\n### 2\.1\. Steps \(guide\.steps\)\n\nsteps text\n\n#### /,
  );
  assert.match(text, /deep short/);
  assert.doesNotMatch(text, /deep text/);
  assert.match((await call("read_section", { section_key: "guide.steps.deep" })).text, /deep text$/);
  assert.match((await call("read_section", { section_key: "nowhere" })).text, /no section "nowhere"/);
  assert.match((await call("read_section", { section_key: "task" })).text, /shown in full already/);
  const again = await definePrompt({ ns: "n", key: "k", sections: [task, guide] })
    .bind()
    .render({ session });
  assert.equal(again.text, rendered.text);
  await end();
});
