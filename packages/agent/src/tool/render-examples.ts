import { renderValue } from "./render-value.ts";
import type { ToolExample } from "./tool.ts";

/** Examples of how a tool is used, as the model reads them; empty where there are none. */
export function renderExamples(toolName: string, examples: readonly ToolExample[]): string {
  return examples
    .map(({ description, input, output }) =>
      [
        `Example of \`${toolName}\`: ${description}`,
        `Input:\n${fence(JSON.stringify(input ?? {}), "json")}`,
        `Output:\n${fence(renderValue(output))}`,
      ].join("\n\n"),
    )
    .join("\n\n");
}

/** A block that its content cannot end. */
export function fence(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}
