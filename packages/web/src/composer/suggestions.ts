import type { FuzzyFileSearchResult } from "@quire/protocol";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Skill } from "../state/model.ts";
import { type SlashCommand, slashCommands } from "./slash-commands.ts";
import type { Trigger } from "./trigger.ts";

/** A completion for the word at the cursor. */
export interface Suggestion {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly kind: "file" | "directory" | "skill" | "command";
  /** Text that replaces the word. */
  readonly insert: string;
  readonly command?: SlashCommand;
}

/** Sources of suggestions. */
export interface SuggestionSources {
  readonly searchFiles: (query: string) => Promise<readonly FuzzyFileSearchResult[]>;
  readonly listSkills: () => Promise<readonly Skill[]>;
  readonly hasThread: boolean;
}

/** The suggestions for a word. */
export interface Suggestions {
  readonly items: readonly Suggestion[];
  readonly loading: boolean;
  readonly error: string | null;
}

const nothing: Suggestions = { items: [], loading: false, error: null };
/** Typing on is cheaper than a search for every letter. */
const pauseMs = 80;
const maxItems = 12;

/** Finds the suggestions for a word; what a later word overtook is dropped. */
export function useSuggestions(trigger: Trigger | undefined, sources: SuggestionSources): Suggestions {
  const [found, setFound] = useState<Suggestions>(nothing);
  const kind = trigger?.kind;
  const query = trigger?.query ?? "";
  const { hasThread } = sources;
  // These functions are new with every render, which is no reason to search again.
  const latest = useRef(sources);
  latest.current = sources;
  // There with the word itself: Enter right behind it must not take what its first letters had found.
  const commands = useMemo(
    () => (kind === "command" ? { ...nothing, items: commandSuggestions(query, hasThread) } : undefined),
    [kind, query, hasThread],
  );

  useEffect(() => {
    if (kind === undefined || kind === "command") {
      setFound(nothing);
      return;
    }
    let stale = false;
    setFound((before) => ({ ...before, loading: true, error: null }));
    const search = async (): Promise<readonly Suggestion[]> =>
      kind === "file"
        ? (await latest.current.searchFiles(query)).map(fileSuggestion)
        : skillSuggestions(await latest.current.listSkills(), query);
    const timer = setTimeout(() => {
      search().then(
        (items) => stale || setFound({ items: items.slice(0, maxItems), loading: false, error: null }),
        (error: unknown) => stale || setFound({ items: [], loading: false, error: (error as Error).message }),
      );
    }, pauseMs);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [kind, query]);

  return commands ?? found;
}

function commandSuggestions(query: string, hasThread: boolean): readonly Suggestion[] {
  return slashCommands
    .filter((command) => command.name.startsWith(query.toLowerCase()) && (hasThread || !command.needsThread))
    .map((command) => ({
      id: `command-${command.name}`,
      label: `/${command.name}${command.hint === undefined ? "" : ` ${command.hint}`}`,
      detail: command.description,
      kind: "command",
      insert: `/${command.name}`,
      command,
    }));
}

function fileSuggestion({ path, match_type }: FuzzyFileSearchResult): Suggestion {
  const cut = path.replace(/\/$/, "").lastIndexOf("/");
  return {
    id: `file-${path}`,
    label: path.slice(cut + 1),
    detail: cut < 0 ? "" : path.slice(0, cut),
    kind: match_type,
    insert: `@${path}`,
  };
}

function skillSuggestions(skills: readonly Skill[], query: string): readonly Suggestion[] {
  const wanted = query.toLowerCase();
  return skills
    .filter((skill) => skill.enabled && skill.name.toLowerCase().includes(wanted))
    .sort((a, b) => Number(b.name.toLowerCase().startsWith(wanted)) - Number(a.name.toLowerCase().startsWith(wanted)))
    .map((skill) => ({
      id: `skill-${skill.path}`,
      label: `$${skill.name}`,
      detail: skill.interface?.shortDescription ?? skill.shortDescription ?? skill.description,
      kind: "skill",
      insert: `$${skill.name}`,
    }));
}
