import type { ToolSpec } from "../model/model-provider.ts";
import { Arguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";

/** Tools found at once unless told. */
const defaultLimit = 8;

/** A tool that the model is not offered before it has looked for it. */
export interface DeferredTool {
  readonly tool: Tool;
  /** The spec of its namespace, without tools. */
  readonly group: ToolSpec;
}

/** Tools that wait to be found, so that a long list of them does not fill every request. */
export class DeferredTools {
  readonly #entries: readonly (DeferredTool & { readonly words: readonly string[] })[];
  readonly #found = new Set<Tool>();

  constructor(tools: readonly DeferredTool[]) {
    this.#entries = tools.map((entry) => ({ ...entry, words: wordsOf(describe(entry)) }));
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Whether a tool is on offer from now on. */
  isFound(tool: Tool): boolean {
    return this.#found.has(tool);
  }

  /** The tools that fit best to a query, by namespace, as the model is shown them. They are on offer from now on. */
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

  /** Words that few tools have in common say most. */
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

/** What the model is told of the search, for any endpoint: a function of that name. */
export function toolSearchTool(deferred: DeferredTools): Tool {
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
  return {
    spec: { type: "function", name: "tool_search", description, strict: false, parameters },
    name: "tool_search",
    namespace: null,
    run: async (call) => {
      const args = new Arguments(call);
      return JSON.stringify({ tools: deferred.search(args.requiredText("query"), args.count("limit")) });
    },
  };
}

function describe({ tool, group }: DeferredTool): string {
  return `${group.name} ${group.description} ${tool.name} ${tool.spec?.description} ${JSON.stringify(tool.spec?.parameters)}`;
}

/** Words in lower case; the parts of joined names count as words, and a plural as its singular. */
function wordsOf(text: string): string[] {
  const parts =
    text
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return parts.map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}
