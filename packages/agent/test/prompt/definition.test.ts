import assert from "node:assert/strict";
import { test } from "node:test";
import { definePrompt, markdown, PromptValidationError, provide, resourceKey, section, tool } from "@quire/agent";
import { type CompletionChecker, Section } from "@quire/agent/prompts";
import { jsonSchema } from "@quire/client";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const task = markdown({ key: "task", title: "Task", template: "Do it." });
const named = (name: string) => tool({ name, description: "x", run: null });
const refused = (make: () => unknown, expected: RegExp): PromptValidationError => {
  let seen: unknown;
  try {
    make();
  } catch (error) {
    seen = error;
  }
  assert.ok(seen instanceof PromptValidationError, String(seen));
  assert.match(seen.message, expected);
  return seen;
};

test("1.1: a template holds all that was defined, with defaults for the rest, and cannot be changed", () => {
  const bare = definePrompt({ ns: "demo", key: "bare", sections: [task] });
  assert.equal(bare.name, null);
  assert.equal(bare.allowExtraKeys, false);
  assert.deepEqual([bare.tools, bare.policies, bare.feedback, bare.resources], [[], [], [], []]);
  assert.equal(bare.output, undefined);
  assert.throws(() => Object.assign(bare, { key: "other" }), TypeError);
  assert.throws(() => (bare.sections as unknown[]).push(task), TypeError);

  const Db = resourceKey<object>("db");
  const binding = provide(Db, { create: () => ({}) });
  const policy = { name: "p", check: () => ({ allowed: true as const }) };
  const completion: CompletionChecker = { check: () => ({ complete: true }) } as never;
  const output = z.object({ title: z.string() });
  const full = definePrompt({
    ns: "demo",
    key: "full",
    name: "Full",
    sections: [task],
    tools: [named("a")],
    policies: [policy],
    completion,
    allowExtraKeys: true,
    resources: [binding],
    output,
  });
  assert.equal(full.eventName, "Full");
  assert.deepEqual([full.policies, full.completion, full.resources], [[policy], completion, [binding]]);
  assert.equal(full.output, output);
  assert.equal(full.allowExtraKeys, true);
});

test("1.2: names are trimmed and put into lower case, and refused where they are no names", () => {
  const made = definePrompt({
    ns: " Demo.A ",
    key: "KEY_1",
    sections: [markdown({ key: " Task ", title: "T", template: "" })],
  });
  assert.deepEqual([made.ns, made.key, made.sections[0]?.key], ["demo.a", "key_1", "task"]);
  for (const bad of ["", " ", "-a", "a b", "ä", "a".repeat(65)]) {
    refused(() => definePrompt({ ns: bad, key: "k", sections: [] }), /namespace/);
    refused(() => definePrompt({ ns: "n", key: bad, sections: [] }), /prompt key/);
    refused(() => markdown({ key: bad, title: "T", template: "" }), /section key/);
  }
  definePrompt({ ns: "a".repeat(64), key: "0", sections: [] });
});

test("1.3: a section key has no dots, so that every path leads to one section", () => {
  refused(() => markdown({ key: "a.b", title: "T", template: "" }), /section key "a\.b"/);
});

test("1.4: a prompt's name in events is its name, or its namespace and key; its overrides are the latest unless told", () => {
  const bare = definePrompt({ ns: "demo", key: "bare", sections: [task] });
  assert.equal(bare.bind().eventName, "demo:bare");
  assert.equal(bare.prompt().tag, "latest");
  assert.equal(bare.prompt({ tag: "mine" }).tag, "mine");
  const named = definePrompt({ ns: "demo", key: "bare", name: "Bare", sections: [task] }).bind();
  assert.deepEqual([named.ns, named.key, named.name, named.eventName], ["demo", "bare", "Bare", "Bare"]);
});

test("1.6: a section has what it was given, and defaults for the rest", async () => {
  const context = { session: undefined };
  assert.deepEqual([task.tools, task.skills, task.policies, task.children], [[], [], [], []]);
  assert.equal(task.acceptsOverrides, true);
  assert.equal(await task.visibility({}, context), "full");
  assert.equal(await task.isEnabled({}, context), true);
  assert.deepEqual(task.resources(), []);
  await task.cleanup();
  await task.cleanup();
  assert.equal(task.clone({}), task);
  let cleaned = 0;
  const held = section({
    key: "held",
    title: "H",
    render: () => "",
    cleanup: () => void cleaned++,
    acceptsOverrides: false,
  });
  const prompt = definePrompt({ ns: "n", key: "k", sections: [held] }).bind();
  await prompt.cleanup();
  assert.equal(cleaned, 1);
  assert.equal(held.acceptsOverrides, false);
  refused(() => markdown({ key: "a", title: " ", template: "" }), /needs a title/);
});

test("1.6: a template can be made anew for another session, with the sections that want that", () => {
  class Own extends Section {
    override clone(): Section {
      return new Own({ key: this.key, title: "Cloned" });
    }
  }
  const template = definePrompt({ ns: "n", key: "k", sections: [task, new Own({ key: "own", title: "First" })] });
  const copy = template.clone({});
  assert.deepEqual(
    copy.sections.map(({ title }) => title),
    ["Task", "Cloned"],
  );
  assert.equal(copy.sections[0], task);
  assert.equal(template.sections[1]?.title, "First");
});

test("1.8: a placeholder that is no parameter is refused when the prompt is defined, with its place", () => {
  const params = z.object({ repo: z.string() });
  const make = (template: string, schema?: typeof params) =>
    definePrompt({
      ns: "n",
      key: "k",
      sections: [
        markdown({
          key: "out",
          title: "Out",
          template: "",
          children: [markdown({ key: "in", title: "In", template, params: schema })],
        }),
      ],
    });
  make(`Read $repo and \${repo} for $$5.`, params);
  const wrong = refused(() => make(`Read \${repos}`, params), /its parameters are repo/);
  assert.deepEqual([wrong.path, wrong.placeholder], ["out.in", "repos"]);
  const none = refused(() => make("Read $repo"), /it has no parameters/);
  assert.deepEqual([none.path, none.placeholder], ["out.in", "repo"]);
  refused(() => make("Costs $5", params), /write \$\$/);
});

test("1.8: the fields of all schema libraries are known when a prompt is defined", () => {
  const schemas = {
    zod: z.object({ repo: z.string().transform((text) => text.length) }),
    valibot: v.object({ repo: v.string() }),
    arktype: type({ repo: "string" }),
    typed: jsonSchema<{ repo: string }>({ type: "object", properties: { repo: { type: "string" } } }),
    json: { type: "object", properties: { repo: { type: "string" } } },
  };
  for (const [name, params] of Object.entries(schemas)) {
    const make = (template: string) =>
      definePrompt({
        ns: "n",
        key: "k",
        sections: [markdown({ key: "a", title: "A", template, params: params as never })],
      });
    make("$repo");
    assert.throws(() => make("$other"), PromptValidationError, name);
  }
});

test("1.9: the placeholders of a summary are checked like those of the text", () => {
  const make = (summary: string) =>
    definePrompt({ ns: "n", key: "k", sections: [markdown({ key: "a", title: "A", template: "", summary })] });
  make("All about it");
  assert.equal(refused(() => make("About $repo"), /no parameters/).placeholder, "repo");
});

test("1.16: two tools or skills of one name are refused, also where they could never meet", () => {
  const off = (key: string, name: string) =>
    markdown({ key, title: key, template: "", tools: [named(name)], enabled: () => false });
  const make =
    (...names: [string, string]) =>
    () =>
      definePrompt({ ns: "n", key: "k", sections: [off("a", names[0]), off("b", names[1])], tools: [named("top")] });
  make("x", "y")();
  refused(make("x", "x"), /Two tools are called "x"/);
  refused(make("x", "top"), /Two tools are called "top"/);
  const skilled = (key: string) =>
    markdown({ key, title: key, template: "", skills: [{ name: "s", source: "/s" } as never] });
  refused(
    () => definePrompt({ ns: "n", key: "k", sections: [skilled("a"), skilled("b")] }),
    /Two skills are called "s"/,
  );
  refused(() => definePrompt({ ns: "n", key: "k", sections: [task, task] }), /Two sections are called "task"/);
});

test("1.17, 6.9: output is an object or an array, anything else is refused", async () => {
  const item = z.object({ title: z.string() });
  const kinds = { object: item, array: z.array(item) } as const;
  for (const [container, output] of Object.entries(kinds)) {
    const template = definePrompt({ ns: "n", key: "k", sections: [task], output: output as z.ZodType<unknown> });
    assert.equal(template.container, container);
    const rendered = await template.bind().render();
    assert.deepEqual([rendered.container, rendered.output], [container, output]);
  }
  for (const output of [z.string(), z.number(), z.union([item, z.string()])])
    refused(
      () => definePrompt({ ns: "n", key: "k", sections: [task], output: output as z.ZodType<unknown> }),
      /must be an object/,
    );
  definePrompt({ ns: "n", key: "k", sections: [task], output: z.union([item, z.object({ b: z.number() })]) });
  const valibot = definePrompt({ ns: "n", key: "k", sections: [task], output: v.array(v.object({ a: v.string() })) });
  assert.equal((await valibot.bind().render()).container, "array");
  refused(() => definePrompt({ ns: "n", key: "k", sections: [task], output: v.string() }), /must be an object/);
});

test("1.25: a section that is shown as a summary must have one", () => {
  refused(() => markdown({ key: "a", title: "A", template: "", visibility: "summary" }), /has none/);
  refused(() => markdown({ key: "a", title: "A", template: "", visibility: "summary", summary: "  " }), /has none/);
});
