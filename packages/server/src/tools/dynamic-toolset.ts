import type { DynamicToolSpec } from "@quire/protocol";
import type { ToolSpec } from "../model/model-provider.ts";
import { type DeferredTool, DeferredTools } from "./deferred-tools.ts";
import { dynamicTool, type LimitFor } from "./dynamic-tool.ts";
import type { Tool } from "./tool.ts";

/** The tools that a client brought to a thread. */
export interface DynamicToolset {
  readonly tools: readonly Tool[];
  /** Those that a model has to search for. */
  readonly waiting: readonly DeferredTool[];
  readonly deferred: DeferredTools;
  /** The current offer: functions, and namespaces with their tools. */
  specs(): ToolSpec[];
}

/** Makes tools of what `thread/start` was given. */
export function dynamicToolset(given: readonly DynamicToolSpec[], limitFor: LimitFor): DynamicToolset {
  if (given.length === 0) return none;
  const rows: { readonly tool: Tool; readonly group: ToolSpec | null; readonly waits: boolean }[] = [];
  for (const spec of given) {
    if (spec.type !== "namespace") {
      rows.push({ tool: dynamicTool(spec, null, limitFor), group: null, waits: false });
      continue;
    }
    const group = { type: "namespace", name: spec.name, description: spec.description };
    for (const tool of spec.tools) {
      rows.push({ tool: dynamicTool(tool, spec.name, limitFor), group, waits: tool.deferLoading === true });
    }
  }
  const waiting = rows.flatMap(({ tool, group, waits }): DeferredTool[] => (waits && group ? [{ tool, group }] : []));
  const deferred = new DeferredTools(() => waiting);
  return {
    tools: rows.map(({ tool }) => tool),
    waiting,
    deferred,
    specs: () => {
      const offered = rows.filter(({ tool, waits }) => !waits || deferred.isFound(tool));
      const groups = new Set(offered.map(({ group, tool }) => group ?? (tool.spec as ToolSpec)));
      return [...groups].map((group) => {
        const inside = offered.filter((row) => row.group === group).map(({ tool }) => tool.spec as ToolSpec);
        return inside.length > 0 ? { ...group, tools: inside } : group;
      });
    },
  };
}

const none: DynamicToolset = { tools: [], waiting: [], deferred: new DeferredTools(() => []), specs: () => [] };
