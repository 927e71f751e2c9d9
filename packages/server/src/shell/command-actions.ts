import { resolve } from "node:path";
import type { CommandAction } from "@quire/protocol";
import { parseScript, plainCommands, quoteCommand } from "@quire/protocol/shell";
import { type Meaning, meaningOf } from "./command-meaning.ts";
import { isFilter, sedLines } from "./filters.ts";

/** The actions of a command as far as its text shows them. Anything unclear is one `unknown` action. */
export function commandActions(script: string, cwd: string): CommandAction[] {
  const unknown: CommandAction[] = [{ type: "unknown", command: script }];
  const pipelines = plainCommands(parseScript(script) ?? []);
  if (pipelines === undefined || pipelines.length === 0) return unknown;

  const actions: CommandAction[] = [];
  let folder = cwd;
  const steps = withoutNoise(pipelines);
  for (const step of steps) {
    const [words = []] = step;
    if (step.length === 1 && words[0] === "cd") {
      folder = resolve(folder, words.filter((word) => word !== "--")[1] ?? "");
      continue;
    }
    const found = pipelineActions(step, folder);
    if (found === undefined) return unknown;
    for (const action of found) {
      if (JSON.stringify(action) !== JSON.stringify(actions.at(-1))) actions.push(action);
    }
  }
  const [only] = actions;
  // Only the last part of the pipe tells which lines were read.
  const done = steps.filter(([words]) => words?.[0] !== "cd");
  if (only?.type === "read" && actions.length === 1 && done.length === 1 && done[0]?.slice(1).some(sedLines)) {
    return [{ ...only, command: script.trim() }];
  }
  return actions;
}

/** Drops commands that only print a text or only keep a failure from counting. */
function withoutNoise(pipelines: readonly string[][][]): string[][][] {
  const steps = pipelines.filter((step) => !(pipelines.length > 1 && step.length === 1 && isOnly(step[0], "true")));
  const first = steps.findIndex(([words]) => words?.[0] !== "echo" && words?.[0] !== "printf");
  return first > 0 ? steps.slice(first) : steps;
}

function isOnly(words: readonly string[] | undefined, name: string): boolean {
  return words?.length === 1 && words[0] === name;
}

function pipelineActions(step: readonly string[][], cwd: string): CommandAction[] | undefined {
  const actions: CommandAction[] = [];
  for (const [index, words] of step.entries()) {
    if (index > 0 && isFilter(words)) continue;
    const meaning = meaningOf(words);
    if (meaning === undefined) return undefined;
    actions.push(toAction(meaning, words, cwd));
  }
  return actions;
}

function toAction(meaning: Meaning, words: readonly string[], cwd: string): CommandAction {
  const command = quoteCommand(words);
  switch (meaning.type) {
    case "read":
      return { type: "read", command, name: shortPath(meaning.path), path: resolve(cwd, meaning.path) };
    case "listFiles":
      return { type: "listFiles", command, path: meaning.path === null ? null : shortPath(meaning.path) };
    case "search":
      return {
        type: "search",
        command,
        query: meaning.query,
        path: meaning.path === null ? null : shortPath(meaning.path),
      };
  }
}

/** Folder names that mean little by themselves. */
const plainFolders = new Set(["build", "dist", "node_modules", "src"]);

/** The most telling part of a path. */
function shortPath(path: string): string {
  const trimmed = path.replace(/(?<!\/)\/+$/, "");
  const parts = trimmed.split("/").filter((part) => part !== "");
  return parts.findLast((part) => !plainFolders.has(part)) ?? trimmed;
}
