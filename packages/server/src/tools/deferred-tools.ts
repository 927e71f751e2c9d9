import type { ToolSpec } from "../model/model-provider.ts";
import type { DeferredNamespace } from "../prompt/prompt-source.ts";
import { Arguments } from "./arguments.ts";
import type { Tool, ToolGroup } from "./tool.ts";

const defaultLimit = 8;

/** A tool that the model is not offered before it has looked for it. */
export interface DeferredTool {
  readonly tool: Tool;
  /** The spec of its namespace, without tools. */
  readonly group: ToolSpec;
}

interface Described extends DeferredTool {
  readonly words: readonly string[];
}

/** Tools that wait to be found, so that a long list of them does not fill every request. */
export class DeferredTools {
  readonly #gather: () => readonly DeferredTool[];
  #tools: readonly DeferredTool[] | undefined;
  /** Made on first use: most threads never search. */
  #described: readonly Described[] | undefined;
  readonly #found = new Set<Tool>();

  /** @param gather Returns the tools. Called once, when they are first needed. */
  constructor(gather: () => readonly DeferredTool[]) {
    this.#gather = gather;
  }

  get #all(): readonly DeferredTool[] {
    this.#tools ??= this.#gather();
    return this.#tools;
  }

  get size(): number {
    return this.#all.length;
  }

  /** Their namespaces, by name. */
  namespaces(): DeferredNamespace[] {
    const groups = new Map(
      this.#all.flatMap(({ group: { name, description } }) => (name ? [[name, description]] : [])),
    );
    return [...groups]
      .map(([name, description]) => ({ name: String(name), description: String(description ?? "") }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** True when a search has found the tool, so that it is offered. */
  isFound(tool: Tool): boolean {
    return this.#found.has(tool);
  }

  /** The best matches by namespace, in the form for the model. They are offered from now on. */
  search(query: string, limit: number = defaultLimit): ToolSpec[] {
    const asked = new Set(wordsOf(query));
    const ranked = this.#entries
      .map((entry) => ({ entry, score: this.#score(entry.words, asked) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
    const groups = new Map<ToolSpec, ToolSpec[]>();
    for (const { entry } of ranked) {
      this.#found.add(entry.tool);
      const tools = groups.get(entry.group) ?? [];
      groups.set(entry.group, [...tools, { ...(entry.tool.spec as ToolSpec), defer_loading: true }]);
    }
    return [...groups].map(([group, tools]) => ({ ...group, tools }));
  }

  get #entries(): readonly Described[] {
    this.#described ??= this.#all.map((entry) => ({ ...entry, words: wordsOf(describe(entry)) }));
    return this.#described;
  }

  /** Rare words count most. */
  #score(words: readonly string[], asked: ReadonlySet<string>): number {
    let score = 0;
    for (const word of new Set(words)) {
      if (!asked.has(word)) continue;
      const having = this.#entries.filter((entry) => entry.words.includes(word)).length;
      score += Math.log(1 + this.#entries.length / having);
    }
    return score;
  }
}

const parameters = {
  type: "object",
  properties: {
    limit: { type: "number", description: `How many tools to find at most. Default ${defaultLimit}.` },
    query: { type: "string", description: "Words for what you want to do." },
  },
  required: ["query"],
  additionalProperties: false,
};

const description =
  "Finds further tools that are not listed here, by what they do. Those found can be called from then on.";

/** Tools that wait to be found: for models whose endpoint has a search of its own, and for others. */
export interface SearchableTools {
  readonly native: DeferredTools;
  readonly plain: DeferredTools;
  isNative(model: string): boolean;
}

/** The spec of the search; `undefined` when there is nothing to find. */
export function toolSearchSpec({ native, plain, isNative }: SearchableTools, model: string): ToolSpec | undefined {
  if (isNative(model)) {
    return native.size > 0 ? { type: "tool_search", execution: "client", description, parameters } : undefined;
  }
  if (plain.size === 0) return undefined;
  return { type: "function", name: "tool_search", description, strict: false, parameters };
}

/** Answers searches, as an endpoint has them and as a function of that name. */
export function toolSearchTool({ native, plain, isNative }: SearchableTools): Tool {
  return {
    spec: undefined,
    name: "tool_search",
    namespace: null,
    run: async (call, { settings }) => {
      const args = new Arguments(call);
      const tools = isNative(settings.model) ? native : plain;
      return JSON.stringify({ tools: tools.search(args.requiredText("query"), args.count("limit")) });
    },
  };
}

/** The tools of a group as they wait to be found. */
export function deferredGroup({ spec, tools }: ToolGroup): DeferredTool[] {
  const { tools: specs, ...group } = spec;
  const named = new Map((specs as readonly ToolSpec[]).map((each) => [each.name, each]));
  return tools.map((tool) => ({ tool: { ...tool, spec: named.get(tool.name) }, group }));
}

function describe({ tool, group }: DeferredTool): string {
  return `${group.name} ${group.description} ${tool.name} ${tool.spec?.description} ${JSON.stringify(tool.spec?.parameters)}`;
}

/** Lower-case words; parts of joined names count, and a plural as its singular. */
function wordsOf(text: string): string[] {
  const parts =
    text
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return parts.map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}
