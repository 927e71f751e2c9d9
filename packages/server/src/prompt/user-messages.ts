import type { ContentItem, ResponseItem, UserInput } from "@quire/protocol";
import { imageDetail } from "../config/catalogue.ts";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { TurnSettings } from "../record/turn-settings.ts";
import type { FileCache } from "../workspace-files/file-cache.ts";
import { imageContent, localAudioContent, localImageContent } from "./media.ts";
import { message, text } from "./message.ts";
import { namedSkills, rootOfSkill, scanSkills, skillContent } from "./skill-prompt.ts";

/** The context for reading a user's input. */
export interface InputContext {
  readonly files: FileCache;
  readonly home: string;
  /** For skills. */
  readonly userHome?: string | undefined;
  readonly extraRoots?: readonly string[] | undefined;
  readonly settings: TurnSettings;
  /** For plugins and disabled skills. */
  readonly config?: EffectiveConfig | undefined;
}

/** A user's input as messages: one with texts and images, then one for each attached or named skill. */
export async function userMessages(input: readonly UserInput[], context: InputContext): Promise<ResponseItem[]> {
  const content: ContentItem[] = [];
  let images = 0;
  for (const part of input) {
    if (part.type === "image" || part.type === "localImage") images++;
    content.push(...(await contentOf(part, images, context)));
  }
  const skills = skillsOf(input, context).map((skill) => message("user", [text(skill)]));
  const messages = content.length > 0 || skills.length === 0 ? [message("user", content), ...skills] : skills;
  return [...messages, ...(await pluginsOf(input, context))];
}

async function pluginsOf(input: readonly UserInput[], { home, config }: InputContext): Promise<ResponseItem[]> {
  const paths = input.flatMap((part) =>
    part.type === "mention" && part.path.startsWith("plugin://") ? [part.path] : [],
  );
  if (paths.length === 0 || config === undefined) return [];
  const { mentionedPlugin } = await import("../plugins/mentions.ts");
  return [...new Set(paths)].flatMap((path) => {
    const words = mentionedPlugin(home, config.raw, path);
    return words === undefined ? [] : [message("developer", [text(words)])];
  });
}

async function contentOf(part: UserInput, index: number, context: InputContext): Promise<ContentItem[]> {
  const { home, settings } = context;
  switch (part.type) {
    case "text":
      return [text(part.text)];
    case "image":
      return [await imageContent(part, part.detail ?? imageDetail(settings.model))];
    case "localImage":
      return localImageContent({ path: part.path, detail: part.detail ?? imageDetail(settings.model), index, home });
    case "audio":
      return [{ type: "input_audio", ...("fileId" in part ? { file_id: part.fileId } : { audio_url: part.url }) }];
    case "localAudio":
      return localAudioContent(part.path, home);
    case "skill":
    case "mention":
      return [];
  }
}

function skillsOf(input: readonly UserInput[], context: InputContext): string[] {
  const { files, home, userHome, extraRoots, settings, config } = context;
  const request = { home, userHome, extraRoots, cwd: settings.cwd, config };
  const attached = input.filter((part) => part.type === "skill");
  const texts = input.flatMap((part) => (part.type === "text" && part.text.includes("$") ? [part.text] : []));
  if (attached.length === 0 && texts.length === 0) return [];
  const { skills } = scanSkills(files, request);
  const named = namedSkills(
    texts.join("\n"),
    skills.filter(({ enabled }) => enabled),
  );
  const rooted = attached.map(({ name, path }) => ({
    name,
    path,
    root: rootOfSkill(files, path, { request, skills }),
  }));
  const wanted = new Map([...rooted, ...named].map((skill) => [skill.path, skill]));
  return [...wanted.values()].map((skill) => skillContent(files, skill));
}
