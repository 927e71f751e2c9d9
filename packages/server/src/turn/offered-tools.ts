import type { ToolSpec } from "../model/model-provider.ts";
import type { OfferedTools } from "../record/offered-tools.ts";
import type { Thread } from "../thread/thread.ts";

/**
 * The tools for the next request. They stand at its beginning, where providers begin to cache: each keeps its place for
 * the thread's life, also after a restart and in forks, and those that come later are last.
 */
export function offeredTools(thread: Thread): readonly ToolSpec[] {
  const known = thread.record.tools;
  const specs = thread.toolbox.specs(thread.settings, known?.liveSearch);
  return known ? inOrder(specs, known.names) : specs;
}

/** {@link offeredTools}, which the thread stores if they are others than before. */
export function offerTools(thread: Thread): readonly ToolSpec[] {
  const specs = offeredTools(thread);
  const known = thread.record.tools;
  const names = new Set([...(known?.names ?? []), ...specs.map(nameOf)]);
  const liveSearch = specs.some((spec) => spec.external_web_access === true);
  const isKnown = known?.names.length === names.size && known.liveSearch === liveSearch;
  const tools: OfferedTools = { names: [...names], liveSearch };
  if (!isKnown) thread.event({ kind: "tools", tools });
  return specs;
}

function inOrder(specs: readonly ToolSpec[], names: readonly string[]): readonly ToolSpec[] {
  const places = new Map(names.map((name, place) => [name, place]));
  const place = (spec: ToolSpec) => places.get(nameOf(spec)) ?? names.length;
  return specs.toSorted((one, other) => place(one) - place(other));
}

const nameOf = ({ type, name }: ToolSpec): string => (typeof name === "string" ? name : type);
