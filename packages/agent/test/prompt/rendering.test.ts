import assert from "node:assert/strict";
import { test } from "node:test";
import { Deadline, definePrompt, markdown, PromptRenderError, Session, section, tool } from "@quire/agent";
import { escapeTemplate, paramsFor } from "@quire/agent/prompts";
import { z } from "zod";

const one = (...sections: Parameters<typeof definePrompt>[0]["sections"]) =>
  definePrompt({ ns: "n", key: "k", sections });
const textOf = async (...sections: Parameters<typeof definePrompt>[0]["sections"]) =>
  (
    await one(...sections)
      .bind()
      .render()
  ).text;
const repo = z.object({ repo: z.string() });

test("1.5: bind changes the prompt and returns it, and what is bound again is replaced", async () => {
  const template = one(markdown({ key: "a", title: "A", template: "$repo", params: repo }));
  const prompt = template.bind({ repo: "first" } as never);
  assert.equal(prompt.bind({ repo: "second" } as never), prompt);
  assert.match((await prompt.render()).text, /second$/);
  assert.notEqual(template.bind(), template.bind());
});

test("1.5: a value too many, or for nobody, is told when the prompt is rendered", async () => {
  const template = definePrompt({
    ns: "n",
    key: "k",
    sections: [markdown({ key: "a", title: "A", template: "$repo", params: repo })],
  });
  const twice = template.bind(paramsFor(repo, { repo: "a" }), paramsFor(repo, { repo: "b" }));
  await assert.rejects(twice.render(), /two values are bound to the parameters \{repo\}/);
  const also = template.bind({ repo: "a" }, { repo: "b" });
  await assert.rejects(also.render(), PromptRenderError);
  const stranger = template.bind(paramsFor(z.object({ repo: z.string() }), { repo: "a" }));
  await assert.rejects(stranger.render(), /a schema that no section uses/);
  const unknown = template.bind({ repo: "a", depth: 3 } as never);
  await assert.rejects(unknown.render(), /"depth" is bound, but no section has such a parameter/);
  await assert.rejects(template.bind(5 as never).render(), /must be an object/);
});

test("1.5: each schema gets its own part of what is bound, also where two have fields of one name", async () => {
  const other = z.object({ repo: z.string(), depth: z.number() });
  const template = definePrompt({
    ns: "n",
    key: "k",
    sections: [
      markdown({ key: "a", title: "A", template: "a=$repo", params: repo }),
      markdown({
        key: "b",
        title: "B",
        template: "b=$repo,$depth",
        params: z.strictObject({ depth: z.number(), repo: z.string() }),
      }),
      markdown({ key: "c", title: "C", template: "c=$repo", params: other }),
    ],
  });
  const both = await template.bind({ repo: "x", depth: 1 }).render();
  assert.match(both.text, /a=x\n[\s\S]*b=x,1\n[\s\S]*c=x/);
  const apart = await template
    .bind({ repo: "x", depth: 1 })
    .bind(paramsFor(repo, { repo: "y" }))
    .render();
  assert.match(apart.text, /a=y\n[\s\S]*b=x,1\n[\s\S]*c=x/);
});

test("1.7: templates lose their indentation, and placeholders get their values, once", async () => {
  const params = z.object({ a: z.string(), n: z.number(), list: z.array(z.number()), none: z.null() });
  const template = definePrompt({
    ns: "n",
    key: "k",
    sections: [
      markdown({
        key: "a",
        title: "A",
        params,
        template: `
          Read $a and \${a}b:
            - $n of $list$none
          for $$5 ($$a).
        `,
      }),
    ],
  });
  const { text } = await template.bind({ a: `$n \${n} $$`, n: 1, list: [1, 2], none: null }).render();
  assert.equal(text, `## 1. A (a)\n\nRead $n \${n} $$ and $n \${n} $$b:\n  - 1 of [1,2]\nfor $5 ($a).`);
  assert.match(
    await textOf(markdown({ key: "a", title: "A", template: "{% if x %} {{ a | b }}" })),
    /\{% if x %\} \{\{ a \| b \}\}$/,
  );
});

test("1.7: a text with dollar signs can be escaped for a template, and a computed text needs no escaping", async () => {
  const odd = `$5, \${name}, $$, $name`;
  assert.ok((await textOf(markdown({ key: "a", title: "A", template: escapeTemplate(odd) }))).endsWith(odd));
  assert.ok((await textOf(section({ key: "a", title: "A", render: async () => odd }))).endsWith(odd));
});

test("1.10: parameters are what is bound, else own defaults, else anybody's defaults, else what the schema makes of nothing", async () => {
  const filled = z.object({ depth: z.number().default(7) });
  const template = definePrompt({
    ns: "n",
    key: "k",
    sections: [
      markdown({ key: "a", title: "A", template: "a=$repo", params: repo }),
      markdown({ key: "b", title: "B", template: "b=$repo", params: repo, defaults: { repo: "first" } }),
      markdown({ key: "c", title: "C", template: "c=$repo", params: repo, defaults: { repo: "second" } }),
      markdown({ key: "d", title: "D", template: "d=$depth", params: filled }),
    ],
  });
  const found = async (prompt: ReturnType<typeof template.bind>) =>
    [...(await prompt.render()).text.matchAll(/^\w=(\w+)/gm)].map(([, value]) => value);
  assert.deepEqual(await found(template.bind({ repo: "bound" })), ["bound", "bound", "bound", "7"]);
  assert.deepEqual(await found(template.prompt()), ["first", "first", "second", "7"]);
});

test("1.10: parameters that nobody gives, or that do not fit, are named with their section", async () => {
  const template = definePrompt({
    ns: "n",
    key: "k",
    sections: [
      markdown({
        key: "o",
        title: "O",
        template: "",
        children: [markdown({ key: "a", title: "A", template: "$repo", params: repo })],
      }),
    ],
  });
  await assert.rejects(template.prompt().render(), (error) => {
    assert.ok(error instanceof PromptRenderError);
    assert.equal(error.path, "o.a");
    assert.match(error.message, /parameters \{repo\} of section "o\.a" are not bound/);
    return true;
  });
  await assert.rejects(
    template.bind({ repo: 5 } as never).render(),
    /does not fit the parameters \{repo\} of section "o\.a": repo: /,
  );
});

test("1.11: sections with one schema share what is bound, and nobody can spoil the defaults for others", async () => {
  const params = z.object({ list: z.array(z.string()) });
  const defaults = { list: ["a"] };
  const greedy = section({
    key: "a",
    title: "A",
    params,
    defaults,
    render: ({ list }) => {
      list.push("b");
      return list.join();
    },
  });
  const raw = { type: "object", properties: { list: { type: "array" } } };
  const frozen = section({
    key: "b",
    title: "B",
    params: raw,
    defaults: defaults as never,
    render: (value) => {
      assert.throws(() => (value as { list: string[] }).list.push("c"), TypeError);
      return "same";
    },
  });
  const template = definePrompt({ ns: "n", key: "k", sections: [greedy, frozen] });
  for (let time = 0; time < 2; time++) assert.match((await template.prompt().render()).text, /\n\na,b\n\n/);
  assert.deepEqual(defaults, { list: ["a"] });
});

const nested = (off: boolean) => [
  markdown({ key: "one", title: "One", template: "1" }),
  markdown({
    key: "two",
    title: "Two",
    template: "2",
    enabled: () => !off,
    children: [
      markdown({
        key: "in",
        title: "In",
        template: "2.1",
        children: [markdown({ key: "deep", title: "Deep", template: "2.1.1" })],
      }),
    ],
  }),
  markdown({ key: "three", title: "Three", template: "3" }),
];

test("1.12: sections are rendered depth first in their order, and one that is not there leaves a gap", async () => {
  const headings = (text: string) => text.split("\n").filter((line) => line.startsWith("#"));
  assert.deepEqual(headings(await textOf(...nested(false))), [
    "## 1. One (one)",
    "## 2. Two (two)",
    "### 2.1. In (two.in)",
    "#### 2.1.1. Deep (two.in.deep)",
    "## 3. Three (three)",
  ]);
  assert.deepEqual(headings(await textOf(...nested(true))), ["## 1. One (one)", "## 3. Three (three)"]);
});

test("1.13: a heading has its depth, number, title and path", async () => {
  assert.equal(await textOf(markdown({ key: "a", title: " The Task ", template: "x" })), "## 1. The Task (a)\n\nx");
});

test("1.14: heading, text and examples are set apart by one blank line, and empty sections vanish", async () => {
  const exampled = tool({
    name: "look",
    description: "Looks",
    input: z.object({ id: z.string() }),
    output: z.object({ title: z.string() }),
    run: null,
    examples: [{ description: "One look", input: { id: "a" }, output: { title: "T" } }],
  });
  const text = await textOf(
    markdown({ key: "a", title: "A", template: "\n\n  text  \n\n", tools: [exampled] }),
    markdown({ key: "b", title: "B", template: "" }),
    markdown({ key: "c", title: "C", template: "", children: [markdown({ key: "d", title: "D", template: "d" })] }),
    markdown({ key: "e", title: "E", template: "", children: [markdown({ key: "f", title: "F", template: "" })] }),
  );
  assert.equal(
    text,
    [
      "## 1. A (a)",
      "text",
      "Example of `look`: One look",
      'Input:\n```json\n{"id":"a"}\n```',
      'Output:\n```\n{"title":"T"}\n```',
      "## 3. C (c)",
      "### 3.1. D (c.d)",
      "d",
    ].join("\n\n"),
  );
});

test("1.15: whether a section is there may depend on its parameters and the session; its tools go with it", async () => {
  const params = z.object({ on: z.boolean() });
  const seen: unknown[] = [];
  const inner = markdown({
    key: "b",
    title: "B",
    template: "b",
    tools: [tool({ name: "t", description: "t", run: null })],
  });
  const template = definePrompt({
    ns: "n",
    key: "k",
    sections: [
      markdown({
        key: "a",
        title: "A",
        template: "a",
        params,
        enabled: async ({ on }, { session }) => {
          seen.push(session);
          return on;
        },
        children: [inner],
      }),
    ],
  });
  const session = new Session();
  const on = await template.bind({ on: true }).render({ session });
  assert.deepEqual([on.tools.map(({ name }) => name), on.text.includes("b")], [["t"], true]);
  const off = await template.bind({ on: false }).render();
  assert.deepEqual([off.tools, off.text], [[], ""]);
  assert.deepEqual(seen, [session, undefined]);
});

test("1.15: a section that cannot tell whether it is there, or cannot render, fails with its path", async () => {
  const fault = () => {
    throw new Error("broken");
  };
  for (const [broken, what] of [
    [section({ key: "b", title: "B", render: () => "", enabled: fault }), /"a\.b" could not be enabled: broken/],
    [section({ key: "b", title: "B", render: fault }), /"a\.b" could not be rendered: broken/],
    [section({ key: "b", title: "B", render: () => "", visibility: fault }), /"a\.b" could not tell .*: broken/],
  ] as const) {
    await assert.rejects(textOf(markdown({ key: "a", title: "A", template: "", children: [broken] })), (error) => {
      assert.ok(error instanceof PromptRenderError);
      assert.equal(error.path, "a.b");
      assert.match(error.message, what);
      return true;
    });
  }
});

test("1.16: tools come in the order of their sections, after those of the prompt itself", async () => {
  const make = (name: string) => tool({ name, description: name, run: null });
  const inner = markdown({ key: "in", title: "I", template: "", tools: [make("c")] });
  const { tools } = await definePrompt({
    ns: "n",
    key: "k",
    tools: [make("top")],
    sections: [
      markdown({ key: "a", title: "A", template: "", tools: [make("a"), make("b")], children: [inner] }),
      markdown({ key: "z", title: "Z", template: "", tools: [make("d")] }),
    ],
  })
    .bind()
    .render();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["top", "a", "b", "c", "d"],
  );
});

test("1.17: a rendered prompt has all that an evaluation needs", async () => {
  const deadline = Deadline.in(60_000);
  const output = z.object({ title: z.string() });
  const skill = { name: "s", source: "/s" } as never;
  const template = definePrompt({
    ns: "n",
    key: "k",
    sections: [markdown({ key: "a", title: "A", template: "$repo", params: repo, skills: [skill] })],
    output,
    allowExtraKeys: true,
  });
  const rendered = await template.bind({ repo: "x" }).render({ deadline });
  assert.equal(rendered.output, output);
  assert.equal(rendered.container, "object");
  assert.equal(rendered.allowExtraKeys, true);
  assert.equal(rendered.deadline, deadline);
  assert.deepEqual(rendered.skills, [skill]);
  assert.deepEqual(rendered.paramDescriptions, {});
  assert.deepEqual(rendered.inputs, [{ path: "a", params: { repo: "x" } }]);
  assert.deepEqual(
    rendered.descriptor.sections.map(({ path, number }) => [path, number]),
    [["a", "1"]],
  );
  assert.throws(() => Object.assign(rendered, { text: "" }), TypeError);
});
