import type { AgreementPreview } from "@quire/orchestrator";
import { visibleText } from "@quire/protocol";
import { ask, canAsk } from "../run/ask.ts";

/**
 * Shows what a workflow runs and what of it changed since a person agreed, and asks where somebody can answer. Says whether
 * it may be used.
 */
export async function confirmWorkflow(preview: AgreementPreview): Promise<boolean> {
  const { path, settings, changes, agreedBefore } = preview;
  const marks = new Map(agreedBefore ? changes.map(({ name, change }) => [name, change]) : []);
  const gone = changes.filter(({ change }) => change === "gone").map(({ name }) => ({ name, shown: "" }));
  const intro =
    agreedBefore && changes.length > 0 ? "This workflow changed since you approved it" : "Programs and permissions";
  process.stderr.write(
    `${visibleText(`${intro}: ${path}`, { oneLine: true })}\n${settingsText([...settings, ...gone], marks)}`,
  );
  if (canAsk()) {
    const answer = await ask("Run this? [y/N] ", new AbortController().signal);
    if (!/^y(es)?$/i.test(answer.trim())) return false;
  }
  preview.agree();
  return true;
}

const signs = { new: "+", changed: "~", gone: "-" } as const;

/** Settings one below the other, with a sign before those that changed. Scripts are shown whole, line by line. */
export function settingsText(
  settings: AgreementPreview["settings"],
  marks: ReadonlyMap<string, keyof typeof signs> = new Map(),
): string {
  return settings
    .map(({ name, shown }) => {
      const change = marks.get(name);
      const lines = visibleText(shown).split("\n").join("\n      ");
      return `  ${change === undefined ? " " : signs[change]} ${visibleText(name, { oneLine: true })}: ${lines}\n`;
    })
    .join("");
}
