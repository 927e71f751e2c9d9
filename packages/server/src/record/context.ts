import type { MessageResponseItem, ResponseItem } from "@quire/protocol";

/** A part of the context: instructions, permissions, surroundings. */
export type ContextPart =
  | "base"
  | "developer"
  | "requirements"
  | "skills"
  | "permissions"
  | "mode"
  | "personality"
  | "tools"
  | "docs"
  | "environment";

/** The text of a part. It holds until the same part is sent again. */
export interface ContextSection {
  readonly part: ContextPart;
  readonly text: string;
}

/** The items of a history that are no context: what was said and done. */
export function saidItems(
  history: readonly { readonly item: ResponseItem; readonly context?: unknown }[],
): ResponseItem[] {
  return history.flatMap(({ item, context }) => (context ? [] : [item]));
}

const fromUser: ReadonlySet<ContextPart> = new Set(["docs", "environment"]);

/** Sections in groups of one message each: neighbours of one role share one, but the base instructions are alone. */
export function contextGroups(sections: readonly ContextSection[]): ContextSection[][] {
  const groups: ContextSection[][] = [];
  for (const section of sections) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    const joins = first && first.part !== "base" && fromUser.has(first.part) === fromUser.has(section.part);
    if (last && joins) last.push(section);
    else groups.push([section]);
  }
  return groups;
}

/** Sections as messages. */
export function contextMessages(sections: readonly ContextSection[]): MessageResponseItem[] {
  return contextGroups(sections).map(contextMessage);
}

/** The message of a group. */
export function contextMessage(group: readonly ContextSection[]): MessageResponseItem {
  const role = group[0] && fromUser.has(group[0].part) ? "user" : "developer";
  return { type: "message", role, content: group.map(({ text }) => ({ type: "input_text", text })) };
}

/** The sections that differ from what the model knows. */
export function changedSections(
  sections: readonly ContextSection[],
  known: ReadonlyMap<ContextPart, string>,
): ContextSection[] {
  if (known.size === 0) return [...sections];
  const now = new Map(sections.map(({ part, text }) => [part, text]));
  const ended = [...known.keys()].filter((part) => !now.has(part)).map((part) => ({ part, text: endings[part] ?? "" }));
  return [...sections, ...ended].filter(({ part, text }) => text !== "" && known.get(part) !== text);
}

/** Words for a part that no longer holds. The others are never without a text. */
const endings: Readonly<Partial<Record<ContextPart, string>>> = {
  developer: "The developer's earlier instructions no longer apply.",
  requirements: "The administrator's earlier instructions no longer apply.",
  skills: "<skills_instructions>\nThere are no skills any more.\n</skills_instructions>",
  mode: "<collaboration_mode></collaboration_mode>",
  personality: "<personality_spec></personality_spec>",
  tools: "<tools>\nThere are no tools to search for any more.\n</tools>",
  docs: "# AGENTS.md instructions\n\nThe earlier ones no longer apply; there are none here.",
};
