import type { UserInput } from "@quire/protocol";
import type { Skill } from "../state/model.ts";
import type { AttachedImage } from "./images.ts";

/** The parts of a message. */
export interface MessageParts {
  readonly text: string;
  readonly images: readonly AttachedImage[];
  /** The skills that exist here: those that the text names go along. */
  readonly skills: readonly Skill[];
}

/** A message as the protocol has it: its text, the skills it names with `$`, its images. */
export function buildInput({ text, images, skills }: MessageParts): UserInput[] {
  const trimmed = text.trim();
  const named = new Set([...trimmed.matchAll(/(?:^|\s)\$([\w:.-]+)/g)].map((match) => match[1]));
  return [
    ...(trimmed === "" ? [] : [{ type: "text" as const, text: trimmed, text_elements: [] }]),
    ...skills
      .filter((skill) => skill.enabled && named.has(skill.name))
      .map(({ name, path }) => ({ type: "skill" as const, name, path })),
    ...images.map(({ url }) => ({ type: "image" as const, url })),
  ];
}

/** The words of a message. */
export function textOf(input: readonly UserInput[]): string {
  return input.map((part) => (part.type === "text" ? part.text : "")).join("");
}
