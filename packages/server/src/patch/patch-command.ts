import { resolve } from "node:path";
import { parseScript, type SimpleCommand } from "@quire/protocol/shell";

/** A patch found in a shell script, and the folder it is meant for. */
export interface PatchCommand {
  readonly patch: string;
  readonly cwd: string;
}

/** The patch in a script that only applies one. There is no program `apply_patch`; models call it nonetheless. */
export function patchCommand(script: string, cwd: string): PatchCommand | undefined {
  if (!script.includes("apply_patch") && !script.includes("applypatch")) return undefined;
  const pipelines = parseScript(script);
  if (pipelines === undefined || pipelines.length < 1 || pipelines.length > 2) return undefined;
  const commands = pipelines.map(({ commands }) => (commands.length === 1 ? commands[0] : undefined));
  const last = commands.at(-1);
  const patch = last && patchOf(last);
  if (patch === undefined) return undefined;
  if (pipelines.length === 1) return { patch, cwd };
  const folder = commands[0] && changedFolder(commands[0]);
  return folder === undefined || pipelines[0]?.followedBy !== "&&" ? undefined : { patch, cwd: resolve(cwd, folder) };
}

function patchOf({ words, redirects }: SimpleCommand): string | undefined {
  const [name, argument, ...more] = words.map(({ literal }) => literal);
  if (name !== "apply_patch" && name !== "applypatch") return undefined;
  if (words.length === 1 && redirects.length === 1) return redirects[0]?.body?.text;
  return redirects.length === 0 && more.length === 0 ? argument : undefined;
}

function changedFolder({ words, redirects }: SimpleCommand): string | undefined {
  const [name, folder, ...more] = words.map(({ literal }) => literal);
  return name === "cd" && more.length === 0 && redirects.length === 0 ? folder : undefined;
}
