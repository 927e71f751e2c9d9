import { mcpWords as words } from "../words/words.ts";

/** An MCP server as its form holds it. */
export interface McpDraft {
  readonly name: string;
  readonly kind: "command" | "url";
  readonly command: string;
  readonly url: string;
  /** Lines such as `NAME=value`. */
  readonly environment: string;
  readonly tokenVariable: string;
}

/** A form with nothing in it. */
export const emptyMcp: McpDraft = {
  name: "",
  kind: "command",
  command: "",
  url: "",
  environment: "",
  tokenVariable: "",
};

/** The table of an MCP server; throws what is wrong with its form. */
export function mcpTable(draft: McpDraft, taken: readonly string[]): Readonly<Record<string, unknown>> {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(draft.name)) throw new Error(words.badName);
  if (taken.includes(draft.name)) throw new Error(words.taken);
  if (draft.kind === "url") {
    const url = draft.url.trim();
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) throw new Error(words.badUrl);
    const variable = draft.tokenVariable.trim();
    return { url, ...(variable !== "" && { bearer_token_env_var: variable }) };
  }
  const [command, ...args] = commandWords(draft.command);
  if (command === undefined) throw new Error(words.noCommand);
  const env = Object.fromEntries(
    draft.environment
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const match = /^\s*([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line);
        if (match?.[1] === undefined) throw new Error(words.badLine(line));
        return [match[1], match[2] ?? ""];
      }),
  );
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

/** The words of a command line; quotes hold words together, and nothing else has a meaning. */
function commandWords(line: string): readonly string[] {
  const found = line.matchAll(/(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g);
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
