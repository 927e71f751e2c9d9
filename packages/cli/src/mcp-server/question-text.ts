import {
  type AdditionalPermissionProfile,
  type FileUpdateChange,
  typedInput,
  type VisiblePart,
  visibleKeys,
  visibleText,
} from "@quire/protocol";

/** The parts of a question about a command that a person has to see. */
export interface CommandText {
  readonly kind?: string | null;
  readonly command: string;
  readonly cwd?: string | null;
  readonly reason?: string | null;
  readonly additionalPermissions?: AdditionalPermissionProfile | null;
}

/** The same of a question about files. */
export interface PatchText {
  readonly changes: readonly FileUpdateChange[];
  readonly grantRoot?: string | null;
  readonly reason?: string | null;
}

/** Asks about a command, or about what is typed into one that runs. Begins as Codex words it. */
export function commandMessage({ kind, command, cwd, reason, additionalPermissions }: CommandText): string {
  const typed = kind === "writeStdin" ? typedInput(command) : undefined;
  const what = typed ? `type ${code(visibleKeys(typed.text))} into a program that runs` : `run ${code(command)}`;
  return [
    `Allow Codex to ${what} in ${code(cwd ?? "")}?`,
    ...(additionalPermissions ? [`With these permissions: ${code(JSON.stringify(additionalPermissions))}`] : []),
    ...because(reason),
  ].join("\n");
}

/** Asks about changes, all of which it shows. */
export function patchMessage({ changes, grantRoot, reason }: PatchText): string {
  return [
    "Allow Codex to apply proposed code changes?",
    ...changes.flatMap(changeLines),
    ...(grantRoot ? [`And to write below ${code(grantRoot)} from now on?`] : []),
    ...because(reason),
  ].join("\n");
}

const because = (reason: string | null | undefined): string[] => (reason ? [`The reason given: ${code(reason)}`] : []);

function changeLines({ path, kind, diff }: FileUpdateChange): string[] {
  const target = kind.type === "update" && kind.move_path ? ` to ${code(kind.move_path)}` : "";
  const lines = diff === "" ? [] : visibleText(diff.replace(/\n$/, "")).split("\n");
  return [`${kind.type} ${code(path)}${target}`, ...lines.map((line) => `│ ${line}`)];
}

/**
 * A model's text on one line, between more backticks than it holds in a row: nothing in it passes for a part of the
 * question.
 */
function code(given: string | readonly VisiblePart[]): string {
  const text =
    typeof given === "string"
      ? visibleText(given, { oneLine: true })
      : given.map((part) => part.text.replaceAll("\n", "")).join("");
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const gap = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${gap}${text}${gap}${fence}`;
}
