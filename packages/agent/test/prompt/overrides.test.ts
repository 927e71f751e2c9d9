import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { definePrompt, markdown, PromptValidationError, Session, section, ToolResult, tool } from "@quire/agent";
import { describePrompt, MemoryOverrides, type PromptOverride, taskExamples } from "@quire/agent/prompts";
import { SetVisibilityOverride } from "@quire/agent/sessions";
import { ToolBridge } from "@quire/agent/tools";
import { z } from "zod";

const params = z.object({ repo: z.string() });
const look = (description = "Looks") =>
  tool({
    name: "look",
    description,
    input: z.object({ id: z.string().describe("old id"), depth: z.number().optional() }),
    output: z.object({ title: z.string() }),
    examples: [{ description: "An example", input: { id: "old" }, output: { title: "old title" } }],
    run: async () => ToolResult.ok({ title: "t" }),
  });
const example = {
  objective: "old objective",
  steps: [{ tool: "look", input: { id: "1" }, output: { title: "x" } }],
  outcome: "done",
};

function make(options: { text?: string; description?: string; accepts?: boolean } = {}) {
  const { text = "old $repo", accepts = true } = options;
  return definePrompt({
    ns: "n",
    key: "k",
    sections: [
      markdown({
        key: "a",
        title: "A",
        template: text,
        params,
        summary: "short",
        acceptsOverrides: accepts,
        tools: [look(options.description)],
      }),
      section({ key: "b", title: "B", render: () => "computed" }),
      taskExamples({ key: "ex", examples: [example] }),
    ],
  });
}

/** An override of everything, for what the template is now. */
async function overriding(template = make()): Promise<PromptOverride> {
  const { sections, tools, taskExamples } = await describePrompt(template);
  return {
    ns: "n",
    key: "k",
    tag: "latest",
    sections: { a: { expectedHash: sections[0]?.hash ?? "", body: "  new $repo" } },
    tools: {
      look: {
        expectedHash: tools[0]?.hash ?? "",
        description: "Looks anew",
        params: { id: "new id", nowhere: "ignored" },
        examples: [{ description: "A new one", input: { id: "new" }, output: { title: "new title" } }],
      },
    },
    taskExamples: {
      ex: { expectedHash: taskExamples[0]?.hash ?? "", examples: [{ ...example, objective: "new objective" }] },
    },
  };
}

async function rendering(template: ReturnType<typeof make>, override: PromptOverride, tag?: string, session?: Session) {
  const overrides = new MemoryOverrides();
  overrides.save(override);
  const prompt = template.prompt({ overrides, tag }).bind({ repo: "x" });
  const rendered = await prompt.render({ session });
  const bridge = new ToolBridge({ prompt, rendered, session: session ?? new Session() });
  return { rendered, specs: await bridge.specs() };
}

test("1.22: an override replaces texts of sections, tools, parameters and examples, and nothing else", async () => {
  const { rendered, specs } = await rendering(make(), await overriding());
  assert.match(rendered.text, /^## 1\. A \(a\)\n\nnew x\n/);
  assert.match(rendered.text, /A new one[\s\S]*"new title"/);
  assert.match(rendered.text, /new objective/);
  assert.doesNotMatch(rendered.text, /old/);
  assert.deepEqual(
    specs.map(({ name, description }) => [name, description]),
    [["look", "Looks anew"]],
  );
  assert.deepEqual(Object.keys(specs[0]?.inputSchema.properties as object), ["id", "depth"]);
});

test("1.22: only the tag that was asked for is used, and without a store nothing is", async () => {
  assert.match((await rendering(make(), await overriding(), "other")).rendered.text, /old x/);
  assert.match((await make().bind({ repo: "x" }).render()).text, /old x/);
});

test("1.23: a hash of the text, or of a tool's contract, tells what an override was written for", async () => {
  const { sections, tools } = await describePrompt(make());
  assert.equal(sections[0]?.hash, createHash("sha256").update("old $repo").digest("hex"));
  const changed = await describePrompt(make({ description: "Looks more" }));
  assert.notEqual(changed.tools[0]?.hash, tools[0]?.hash);
  assert.equal((await describePrompt(make())).tools[0]?.hash, tools[0]?.hash);
});

test("1.23: parts that were written for another text are left out, the others are used", async () => {
  const override = await overriding();
  const { rendered, specs } = await rendering(make({ text: "newer $repo" }), override);
  assert.match(rendered.text, /newer x/);
  assert.equal(specs[0]?.description, "Looks anew");
  const other = await rendering(make({ description: "Looks more" }), override);
  assert.match(other.rendered.text, /\nnew x/);
  assert.equal(other.specs[0]?.description, "Looks more");
  const stale = { ...override, taskExamples: { ex: { expectedHash: "0", examples: [] } } };
  assert.match((await rendering(make(), stale)).rendered.text, /old objective/);
});

test("1.23: a section that accepts no overrides keeps its text", async () => {
  const template = make({ accepts: false });
  const override = { ...(await overriding()), tools: {} };
  assert.match((await rendering(template, override)).rendered.text, /old x/);
  assert.deepEqual((await describePrompt(template)).sections, []);
});

test("1.9: an override whose text could not be rendered is refused when it is loaded", async () => {
  const override = await overriding();
  const bad = {
    ...override,
    sections: { a: { expectedHash: override.sections?.a?.expectedHash ?? "", body: "$nobody" } },
  };
  await assert.rejects(rendering(make(), bad), (error) => {
    assert.ok(error instanceof PromptValidationError);
    assert.deepEqual([error.path, error.placeholder], ["a", "nobody"]);
    return true;
  });
  const long = {
    ...override,
    tools: { look: { expectedHash: override.tools?.look?.expectedHash ?? "", description: "x".repeat(201) } },
  };
  await assert.rejects(rendering(make(), long), PromptValidationError);
  const examples = [{ description: "Bad", input: { id: 5 }, output: { title: "t" } }];
  const odd = { ...override, tools: { look: { expectedHash: override.tools?.look?.expectedHash ?? "", examples } } };
  await assert.rejects(rendering(make(), odd), /input of example "Bad" of tool "look" does not fit/);
});

test("1.24: an override of a section's text is not used for its summary", async () => {
  const session = new Session();
  session.dispatch(SetVisibilityOverride({ path: "a", visibility: "summary" }));
  const { rendered } = await rendering(make(), await overriding(), undefined, session);
  assert.match(rendered.text, /^## 1\. A \(a\)\n\nshort\n/);
  assert.doesNotMatch(rendered.text, /new x/);
});

test("1.24: overriding descriptions of parameters reach the schema that the model is told of", async () => {
  const { rendered, specs } = await rendering(make(), await overriding());
  const { id } = (specs[0]?.inputSchema.properties ?? {}) as Record<string, { description?: string; type?: string }>;
  assert.deepEqual([id?.description, id?.type], ["new id", "string"]);
  assert.deepEqual(Object.keys(rendered.paramDescriptions), ["look"]);
});
