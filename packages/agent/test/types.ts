/** What the compiler must know. Nothing here runs. */
import { definePrompt, markdown, record, Session, ToolResult, tool } from "@quire/agent";
import { paramsFor, type RenderedPrompt } from "@quire/agent/prompts";
import type { RecordOf } from "@quire/agent/sessions";
import { z } from "zod";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | undefined => undefined;

const repo = z.object({ repo: z.string() });
const depth = z.object({ depth: z.number().default(1) });
const template = definePrompt({
  ns: "n",
  key: "k",
  sections: [
    markdown({ key: "a", title: "A", template: "$repo", params: repo }),
    markdown({
      key: "b",
      title: "B",
      template: "",
      children: [markdown({ key: "c", title: "C", template: "", params: depth })],
    }),
    markdown({ key: "d", title: "D", template: "", params: z.object({ name: z.string() }), defaults: { name: "x" } }),
  ],
  output: z.object({ title: z.string(), files: z.array(z.string()) }),
});

template.bind({ repo: "x" });
template.bind({ repo: "x", depth: 2, name: "y" });
template.bind(paramsFor(repo, { repo: "x" }));
// @ts-expect-error a parameter of the wrong type
template.bind({ repo: 5 });
// @ts-expect-error a parameter is missing
template.bind({ depth: 2 });
// @ts-expect-error a parameter of a section within is of the wrong type
template.bind({ repo: "x", depth: "2" });
// @ts-expect-error a value that is not of its schema's type
paramsFor(repo, { repo: 5 });

const rendered = template.bind({ repo: "x" }).render();
holds<Equal<typeof rendered, Promise<RenderedPrompt<{ title: string; files: string[] }>>>>();

markdown({
  key: "a",
  title: "A",
  template: "",
  params: depth,
  enabled: ({ depth }) => holds<Equal<typeof depth, number>>() ?? true,
});

tool({
  name: "t",
  description: "T",
  input: z.object({ id: z.string(), n: z.coerce.number() }),
  output: z.object({ title: z.string() }),
  examples: [{ description: "e", input: { id: "a", n: 1 }, output: { title: "t" } }],
  run: ({ id, n }, { session }) => {
    holds<Equal<typeof id, string>>();
    holds<Equal<typeof n, number>>();
    holds<Equal<typeof session, Session>>();
    return id === "" ? ToolResult.error("no id") : ToolResult.ok({ title: id });
  },
});

const Plan = record("plan", z.object({ steps: z.array(z.string()), done: z.boolean().default(false) }));
holds<Equal<RecordOf<typeof Plan>, Readonly<{ steps: string[]; done: boolean }>>>();
const session = new Session();
const latest = session.slice(Plan).latest();
holds<Equal<typeof latest, Readonly<{ steps: string[]; done: boolean }> | null>>();
session.seed(Plan({ steps: [] }));
// @ts-expect-error a record of the wrong type
Plan({ steps: "none" });
definePrompt({ ns: "n", key: "k", sections: [], output: Plan });
