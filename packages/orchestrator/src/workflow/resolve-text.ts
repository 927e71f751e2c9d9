import { homedir } from "node:os";
import { isAbsolute, resolve } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Name of the variable that a text like `$NAME` or `${NAME}` stands for; undefined where it is a plain text. */
function variableName(text: string): string | undefined {
  return /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/.exec(text.trim())?.slice(1).find(Boolean);
}

/** The text, or the value of the variable that it names. A variable that is not set or blank gives undefined. */
function resolveVariable(text: string, env: Env): string | undefined {
  const name = variableName(text);
  const value = name === undefined ? text : env[name];
  return value === undefined || value.trim() === "" ? undefined : value;
}

/** A path of the workflow as an absolute one: `~`, `$NAME` at its beginning, and relative to the workflow's folder. */
export function resolvePath(text: string, baseDir: string, env: Env): string | undefined {
  const [head = "", ...rest] = text.trim().split("/");
  const first = head === "~" ? (env.HOME ?? homedir()) : head === "" ? "" : resolveVariable(head, env);
  if (first === undefined || (first === "" && rest.length === 0)) return undefined;
  const path = [first, ...rest].join("/");
  // A variable may itself hold a path that begins at home.
  const full = path.startsWith("~/") ? `${env.HOME ?? homedir()}${path.slice(1)}` : path;
  return isAbsolute(full) ? resolve(full) : resolve(baseDir, full);
}
