import { banner } from "./emit-types.ts";
import { type History, spansOf } from "./history.ts";

/** Names by the versions between which they were seen: `SINCE..` or `SINCE..REMOVED`. */
type Spans = Map<string, string[]>;

/** The last span of a name: one that went and came back counts from its return. */
const spanOf = (name: string, history: History): string => spansOf(name, history).at(-1) ?? "";

const group = (entries: Iterable<readonly [name: string, span: string]>): Spans => {
  const spans: Spans = new Map();
  for (const [name, span] of entries) spans.set(span, [...(spans.get(span) ?? []), name]);
  return new Map([...spans].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true })));
};

/** Every name of one sort that any version knew, with its span. */
function namesOf(sort: string, history: History): [name: string, span: string][] {
  const all = new Set([...history.values()].flatMap((snapshot) => [...snapshot]));
  return [...all]
    .filter((line) => line.startsWith(`${sort} `))
    .sort()
    .map((line) => [line.slice(sort.length + 1), spanOf(line, history)]);
}

/** The version in which each method that exists today appeared, or the oldest that was looked at. */
export function sinceOf(history: History): Map<string, string> {
  return new Map(namesOf("method", history).map(([name, span]) => [name, span.split("..")[0] ?? ""]));
}

/** Prints what appeared and went in which version. */
export function emitVersions(history: History): string {
  const methods = namesOf("method", history);
  const spanOfMethod = new Map(methods);
  // A field that came and went with its method says nothing new.
  const fields = namesOf("field", history).filter(
    ([name, span]) => spanOfMethod.get(name.split(" ")[0] ?? "") !== span,
  );
  return [
    banner,
    "/** Names by the versions between which they exist: `SINCE..`, or `SINCE..REMOVED`. */",
    "export type Spans = { readonly [span: string]: readonly string[] };\n",
    "/** The Codex versions that were compared, oldest first. */",
    `export const observedVersions: readonly string[] = ${JSON.stringify([...history.keys()])};\n`,
    "/** When each method existed. */",
    printSpans("methodSpans", group(methods)),
    "/** When each kind of item existed. */",
    printSpans("itemSpans", group(namesOf("item", history))),
    "/** When a param (`METHOD FIELD`) existed, where it did not come and go with its method. */",
    printSpans("fieldSpans", group(fields)),
  ].join("\n");
}

/** Prints a line for each span. */
function printSpans(name: string, spans: Spans): string {
  const rows = [...spans].map(([span, names]) => `  ${JSON.stringify(span)}: ${JSON.stringify(names)},`);
  return `export const ${name}: Spans = {\n${rows.join("\n")}\n};\n`;
}
