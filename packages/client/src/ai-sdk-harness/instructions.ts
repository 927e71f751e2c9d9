import type { ContinueOptions, HarnessSkill } from "./harness-types.ts";

/** The instructions of a turn with its skills, which Codex gets in full: it looks for files of skills in its home alone. */
export function instructionsOf({ instructions, skills }: ContinueOptions): string | undefined {
  const text = [instructions, ...skills.map(skillText)].filter(Boolean).join("\n\n");
  return text === "" ? undefined : text;
}

function skillText({ name, description, content, files = [] }: HarnessSkill): string {
  const more = files.map((file) => `File ${file.path} of the skill ${name}:\n${file.content}`);
  return [`# Skill ${name}\n${description}\n\n${content}`, ...more].join("\n\n");
}
