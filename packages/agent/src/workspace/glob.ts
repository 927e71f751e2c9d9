import { linearPattern } from "@quire/protocol/pattern";
import { AgentError } from "../lib/agent-error.ts";

/**
 * Compiles a glob to a test of relative paths with `/` between their parts. The dialect, chosen so that it reads as in
 * `.gitignore` files:
 *
 * - `*` and `?` stand for characters other than `/`;
 * - `**` as a whole part stands for any number of folders, also none, so that one before `/x` matches `x` and `a/b/x`;
 * - `[abc]`, `[a-z]`, `[!abc]` stand for one character; `{a,b}` for one of several texts; `\` makes the next literal;
 * - a glob without `/` matches at any depth: `*.ts` matches `src/a.ts`;
 * - a glob that matches a folder matches all that is in it: `src` and `src/` match `src/a/b.ts`;
 * - names that begin with a dot are names like any other; upper and lower case differ.
 */
function compileGlob(glob: string): (path: string) => boolean {
  const trimmed = glob.replace(/^\.?\//, "").replace(/(?<!\/)\/+$/, "");
  const isAnchored = glob.replace(/(?<!\/)\/+$/, "").includes("/");
  // Paths are whatever a repository has, so no glob may take longer for some than for others.
  const pattern = linearPattern(`^${isAnchored ? "" : "(?:[^]*/)?"}${translate(trimmed)}(?:/[^]*)?$`);
  if (pattern === undefined)
    throw new AgentError(`The glob ${JSON.stringify(glob)} cannot be read: check its brackets, or make it shorter`);
  return (path) => pattern.test(path);
}

/** True when a path is wanted: included, where anything is, and not excluded. */
export function globFilter(include: readonly string[], exclude: readonly string[]): (path: string) => boolean {
  const wanted = include.map(compileGlob);
  const unwanted = exclude.map(compileGlob);
  return (path) =>
    !unwanted.some((matches) => matches(path)) && (wanted.length === 0 || wanted.some((matches) => matches(path)));
}

function translate(glob: string): string {
  let source = "";
  let alternatives = 0;
  for (let at = 0; at < glob.length; at++) {
    const rest = glob.slice(at);
    const folders = (at === 0 || glob[at - 1] === "/") && /^\*\*(\/|$)/.exec(rest);
    const set = /^\[(!?)(\]?[^\]]*)\]/.exec(rest);
    const character = glob[at] ?? "";
    if (folders) {
      source += folders[1] === "/" ? "(?:[^/]+/)*" : "[^]*";
      at += folders[0].length - 1;
    } else if (character === "*") {
      source += "[^/]*";
      while (glob[at + 1] === "*") at++;
    } else if (character === "?") {
      source += "[^/]";
    } else if (set) {
      source += setPattern(set[2] ?? "", set[1] === "!");
      at += set[0].length - 1;
    } else if (character === "{" && rest.includes("}")) {
      source += "(?:";
      alternatives++;
    } else if (character === "}" && alternatives > 0) {
      source += ")";
      alternatives--;
    } else if (character === "," && alternatives > 0) {
      source += "|";
    } else {
      if (character === "\\") at++;
      source += literal(String.fromCodePoint(glob.codePointAt(at) ?? 0x5c));
      if ((glob.codePointAt(at) ?? 0) > 0xffff) at++;
    }
  }
  return source;
}

/** No set stands for a slash, also where it lies within a range. */
function setPattern(members: string, isNot: boolean): string {
  const escaped = members.replace(/[\\\]^[]/g, "\\$&");
  if (isNot) return `[^${escaped}/]`;
  const around = escaped.replace(/(.)-(.)/gu, (range, low: string, high: string) =>
    low <= "/" && high >= "/" ? `${low < "/" ? `${low}-.` : ""}${high > "/" ? `0-${high}` : ""}` : range,
  );
  return `[${around.replaceAll("/", "")}]`;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
