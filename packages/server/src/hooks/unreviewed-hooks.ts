import { dirname } from "node:path";
import type { LayerWarning } from "../config/layer.ts";
import { trustCommand } from "../config/trust/trust-command.ts";
import type { FoundHooks, Hook } from "./hook.ts";

/** Commands quoted; of more only the number is shown. */
const maxQuoted = 3;
const maxChars = 200;

/** Warnings about a project's hooks: those that do not run, and trusted ones that are gone. */
export function unreviewedHooks({ hooks, gone }: FoundHooks): LayerWarning[] {
  const waiting = hooks.filter(
    ({ source, enabled, trustStatus }) =>
      source === "project" && enabled && (trustStatus === "untrusted" || trustStatus === "modified"),
  );
  const unread = [...new Set(waiting.map(({ sourcePath }) => sourcePath))].map((path) => {
    const own = waiting.filter(({ sourcePath }) => sourcePath === path);
    return {
      summary: `${path}: ${counted(own.length)} not run, because you have not agreed to ${own.length === 1 ? "it" : "them"}.`,
      details: `${quoted(own)} ${remedy(path)}`,
      path,
    };
  });
  const lost = gone.map(fileOf);
  const missing = [...new Set(lost)].map((path) => ({
    summary: `${path}: ${counted(lost.filter((each) => each === path).length)} gone that you had agreed to.`,
    details: remedy(path),
    path,
  }));
  return [...unread, ...missing];
}

const fileOf = (key: string): string => key.replace(/:[a-z_]+:\d+:\d+$/, "");

const counted = (count: number): string => (count === 1 ? "1 hook is" : `${count} hooks are`);

function quoted(hooks: readonly Hook[]): string {
  const shown = hooks.slice(0, maxQuoted).map(({ event, command, tool }) => {
    const runs = tool ? `${tool.server}/${tool.tool}` : command;
    return `${event.name}: ${runs.length > maxChars ? `${runs.slice(0, maxChars)}… (${runs.length} characters)` : runs}`;
  });
  const more = hooks.length > maxQuoted ? `; and ${hooks.length - maxQuoted} more` : "";
  return `${shown.join("; ")}${more}.`;
}

function remedy(path: string): string {
  return `Check it, then run \`${trustCommand(dirname(dirname(path)))}\`, or review the hooks in your client.`;
}
