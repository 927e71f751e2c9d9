import { useMemo } from "react";
import { CodeBlock } from "./code/code-block.tsx";

/** Characters of data that are shown; more would not be read here. */
const maxShown = 200_000;

/** Any data as indented JSON; a text that holds JSON is indented too, another text is shown as it is. */
export function JsonView({ data, foldKey }: { readonly data: unknown; readonly foldKey: string }) {
  const [text, info] = useMemo(() => readable(data), [data]);
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}\n…` : text;
  return <CodeBlock text={shown} info={info} foldKey={foldKey} />;
}

function readable(data: unknown): readonly [string, string] {
  const value = typeof data === "string" ? (parsed(data) ?? data) : data;
  return typeof value === "string" ? [value, "text"] : [indented(value), "json"];
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > maxShown) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function indented(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    return String(value);
  }
}
