import { type CommandAction, shellScript } from "@quire/protocol";
import { itemWords } from "../words/words.ts";
import { clipped, revealed } from "./format.ts";

/** The title of a command: `Ran` and the command, or, for reading and searching, the files and terms. */
export interface CommandTitle {
  readonly kind: "run" | "read" | "list" | "search";
  readonly title: string;
  readonly detail: string;
}

/** Progress of a command, for the tense of its title. */
export type CommandPhase = "running" | "done" | "notRun";

const verbs: Readonly<Record<CommandTitle["kind"], Readonly<Record<CommandPhase, string>>>> = {
  run: { running: itemWords.running, done: itemWords.ran, notRun: itemWords.run },
  read: { running: itemWords.reading, done: itemWords.read, notRun: itemWords.read },
  list: { running: itemWords.listingFiles, done: itemWords.listedFiles, notRun: itemWords.listFiles },
  search: { running: itemWords.searching, done: itemWords.searched, notRun: itemWords.search },
};

/** Puts a command in words. */
export function commandTitle(
  command: string,
  actions: readonly CommandAction[],
  phase: CommandPhase = "done",
): CommandTitle {
  const titled = (kind: CommandTitle["kind"], detail: string): CommandTitle => ({
    kind,
    title: verbs[kind][phase],
    detail,
  });
  const [first] = actions;
  const same = first !== undefined && actions.every((action) => action.type === first.type);
  if (same && first.type === "read") {
    const names = actions.map((action) => (action.type === "read" ? action.name : ""));
    return titled("read", names.join(", "));
  }
  if (same && first.type === "listFiles") {
    const paths = actions.flatMap((action) => ("path" in action ? (action.path ?? []) : []));
    return titled("list", paths.join(", "));
  }
  if (same && first.type === "search" && actions.length === 1) {
    const place = first.path == null ? "" : ` in ${first.path}`;
    return titled("search", `${first.query ?? first.command}${place}`);
  }
  return titled("run", oneLine(shellScript(command)));
}

const oneLine = (text: string): string => clipped(revealed(text).replace(/(?<!\s)\s*\n\s*/g, " ↵ "), 400);
