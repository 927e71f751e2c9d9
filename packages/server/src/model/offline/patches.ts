import type { ToolSpec } from "../model-provider.ts";
import { findTool } from "./find-tool.ts";
import type { Command } from "./offline-commands.ts";
import { call, type Part, say } from "./parts.ts";

/** The patch for `write`, `edit` and `delete`, by whichever tool is offered. */
export function patchPart(command: Command, tools: readonly ToolSpec[]): Part {
  const hunk = patchOf(command);
  if (hunk === undefined) {
    return say(
      "I cannot tell what to change. Try `edit: notes.txt old line => new line`, or give lines with - and + below.",
    );
  }
  const patch = `*** Begin Patch\n${hunk}\n*** End Patch`;
  const direct = findTool(tools, "apply_patch");
  if (direct) return call(direct, direct.custom ? patch : { input: patch });
  const exec = findTool(tools, "exec_command");
  if (!exec) return say("No tool to change files is on offer.");
  const end = patch.split("\n").includes("EOF") ? "END_OF_PATCH" : "EOF";
  return call(exec, { cmd: `apply_patch <<'${end}'\n${patch}\n${end}` });
}

function patchOf({ word, argument, body }: Command): string | undefined {
  if (word === "delete") return argument === "" ? undefined : `*** Delete File: ${argument}`;
  if (word === "write") return addFile(argument, body);
  const [path, change] = splitEdit(argument);
  const lines = change === undefined ? body.split("\n").filter((each) => /^[-+ @]/.test(each)) : change;
  if (path === "" || lines.length === 0) return undefined;
  const hunk = lines[0]?.startsWith("@@") ? lines : ["@@", ...lines];
  return [`*** Update File: ${path}`, ...hunk].join("\n");
}

function addFile(path: string, body: string): string | undefined {
  if (path === "") return undefined;
  const content = body.replace(/\n+$/, "").split("\n");
  return [`*** Add File: ${path}`, ...content.map((each) => `+${each}`)].join("\n");
}

/** `path old => new`, where the path holds no blank unless it is quoted. */
function splitEdit(argument: string): [path: string, change: string[] | undefined] {
  const match = /^(?:"([^"]+)"|(\S+))(?:\s+([\s\S]+?)\s*=>\s*([\s\S]*))?$/.exec(argument);
  const path = match?.[1] ?? match?.[2] ?? "";
  return [path, match?.[3] === undefined ? undefined : [`-${match[3]}`, `+${match[4] ?? ""}`]];
}
