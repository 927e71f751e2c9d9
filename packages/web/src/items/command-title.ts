import type { CommandAction } from "@quire/protocol";
import { clipped, revealed } from "./format.ts";

/** What a command's line says: `Ran` and the command, or for a mere look at something, what was looked at. */
export interface CommandTitle {
  readonly kind: "run" | "read" | "list" | "search";
  readonly title: string;
  readonly detail: string;
}

/** Puts a command in words. */
export function commandTitle(command: string, actions: readonly CommandAction[]): CommandTitle {
  const [first] = actions;
  const same = first !== undefined && actions.every((action) => action.type === first.type);
  if (same && first.type === "read") {
    const names = actions.map((action) => (action.type === "read" ? action.name : ""));
    return { kind: "read", title: "Read", detail: names.join(", ") };
  }
  if (same && first.type === "listFiles") {
    const places = actions.flatMap((action) => ("path" in action ? (action.path ?? []) : []));
    return { kind: "list", title: "Listed files", detail: places.join(", ") };
  }
  if (same && first.type === "search" && actions.length === 1) {
    const place = first.path == null ? "" : ` in ${first.path}`;
    return { kind: "search", title: "Searched", detail: `${first.query ?? first.command}${place}` };
  }
  return { kind: "run", title: "Ran", detail: oneLine(unwrapped(command)) };
}

/** The script of `bash -lc 'script'`: the shell around it is the same every time. */
export function unwrapped(command: string): string {
  const match = /^(?:\/\S+\/)?(?:ba|z|da)?sh -l?c (['"])([\s\S]*)\1$/.exec(command);
  const script = match?.[2];
  if (script === undefined || match === null) return command;
  if (match[1] === "'")
    return script.includes("'\\''") || !script.includes("'") ? script.replaceAll("'\\''", "'") : command;
  return script.replace(/\\(["\\$`])/g, "$1");
}

const oneLine = (text: string): string => clipped(revealed(text).replace(/\s*\n\s*/g, " ↵ "), 400);
