import { join, resolve, sep } from "node:path";
import type { SkillDependencies, SkillInterface, SkillToolDependency } from "@quire/protocol";
import { isTable, type Table } from "../lib/table.ts";
import type { FileCache } from "../workspace-files/file-cache.ts";
import type { Root } from "../workspace-files/root.ts";

/** A skill's presentation, from `agents/openai.yaml` beside its SKILL.md. */
export interface SkillExtras {
  readonly interface: SkillInterface | null;
  readonly dependencies: SkillDependencies | null;
  /** True when the model may choose it by itself; else only a user names it. */
  readonly isImplicit: boolean;
}

const none: SkillExtras = { interface: null, dependencies: null, isImplicit: true };

const maxBytes = 64 * 1024;
const maxPromptLength = 1024;
const colour = /^#[0-9a-fA-F]{6}$/;

/** Reads the presentation. Unreadable or wrong fields are left out: the skill works without them. */
export function readSkillExtras(files: FileCache, folder: string, root: Root): SkillExtras {
  try {
    const bytes = files.bytes(join(folder, "agents", "openai.yaml"), root);
    if (bytes === undefined || bytes.length > maxBytes) return none;
    const value: unknown = Bun.YAML.parse(new TextDecoder().decode(bytes));
    if (!isTable(value)) return none;
    return {
      interface: isTable(value.interface) ? wireInterface(value.interface, folder) : null,
      dependencies: isTable(value.dependencies) ? wireDependencies(value.dependencies) : null,
      isImplicit: !isTable(value.policy) || value.policy.allow_implicit_invocation !== false,
    };
  } catch {
    return none;
  }
}

function wireInterface(value: Table, folder: string): SkillInterface | null {
  const { brand_color: brand, default_prompt: prompt } = value;
  const shown = {
    displayName: text(value.display_name),
    shortDescription: text(value.short_description),
    iconSmall: inside(folder, value.icon_small),
    iconLarge: inside(folder, value.icon_large),
    iconSmallUrl: null,
    iconLargeUrl: null,
    brandColor: typeof brand === "string" && colour.test(brand) ? brand : null,
    defaultPrompt: typeof prompt === "string" && prompt.length <= maxPromptLength ? text(prompt) : null,
  };
  return Object.values(shown).some((each) => each !== null) ? shown : null;
}

function wireDependencies({ tools }: Table): SkillDependencies | null {
  const wired = (Array.isArray(tools) ? tools : []).flatMap((tool) => (isTable(tool) ? (wireTool(tool) ?? []) : []));
  return wired.length > 0 ? { tools: wired } : null;
}

function wireTool(tool: Table): SkillToolDependency | undefined {
  const [type, value] = [text(tool.type), text(tool.value)];
  if (type === null || value === null) return undefined;
  const rest = ["description", "transport", "command", "url"].flatMap((key) => {
    const given = text(tool[key]);
    return given === null ? [] : [[key, given] as const];
  });
  return { type, value, ...Object.fromEntries(rest) };
}

function inside(folder: string, path: unknown): string | null {
  if (typeof path !== "string") return null;
  const resolved = resolve(folder, path);
  return resolved.startsWith(folder + sep) ? resolved : null;
}

function text(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  return String(value).trim() || null;
}
