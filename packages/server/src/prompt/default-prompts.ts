import { dirname } from "node:path";
import type { EffectiveConfig } from "../config/effective-config.ts";
import { statIfExists } from "../lib/stat-if-exists.ts";
import { valueAt } from "../lib/table.ts";
import type { ContextPart } from "../record/context.ts";
import { isLocal } from "../run/environments/local-environment.ts";
import { FileCache } from "../workspace-files/file-cache.ts";
import { basePrompt } from "./base-prompt.ts";
import { compactPrompt } from "./compact-prompt.ts";
import { environmentContext } from "./environment-context.ts";
import { message, tagged, text } from "./message.ts";
import { collaborationPrompt, personalityPrompt } from "./mode-prompts.ts";
import { permissionsPrompt } from "./permissions-prompt.ts";
import { type ProjectDocs, projectDocs } from "./project-docs.ts";
import type { DeferredNamespace, Preamble, PromptContext, PromptSource } from "./prompt-source.ts";
import { findSkills, skillsPrompt } from "./skill-prompt.ts";
import { TickCache } from "./tick-cache.ts";
import { type InputContext, userMessages } from "./user-messages.ts";

/** Makes the source of all prompt text. It remembers files it has read, and reads them again when they changed. */
export function promptSource(home: string, userHome?: string): PromptSource {
  const round = new TickCache();
  const files = new FileCache({ home, look: (path) => round.get(`look ${path}`, () => statIfExists(path)) });
  const place = () => ({ round, files, home, userHome, extraRoots: source.skillRoots });
  const source: PromptSource = {
    skillRoots: [],
    preamble: (context) => preamble(place(), context),
    userMessages: (input, settings, config) => userMessages(input, { ...place(), settings, config }),
    compaction: {
      instruction: compactionInstruction,
      summaryMessage: (summary) => `${summaryIntroduction}\n\n${summary}`,
    },
    interrupted: message("user", [text(tagged("turn_aborted", interruptedWords))]),
  };
  return source;
}

interface Place extends Omit<InputContext, "settings" | "config"> {
  readonly round: TickCache;
}

function preamble(place: Place, context: PromptContext): Preamble {
  const { settings, config } = context;
  const { cwd } = settings;
  // A folder of the same name on this machine is another one.
  const docs = isLocal(settings) ? docsFor(place, cwd, config) : { text: "", sources: [], warnings: [] };
  const texts: Readonly<Record<ContextPart, string | null | undefined>> = {
    base: context.baseInstructions ?? config.baseInstructions ?? (config.isSmall ? compactPrompt : basePrompt),
    developer: context.developerInstructions ?? config.developerInstructions,
    // The administrator's instructions come beside a client's, not in their place.
    requirements: config.requirements?.additionalInstructions,
    skills: skillsFor(place, cwd, config),
    permissions: permissionsPrompt(settings),
    mode: collaborationPrompt(settings.collaborationMode),
    personality: personalityPrompt(settings.personality),
    tools: deferredPrompt(context.deferred ?? []),
    docs: agentsMessage(docs),
    environment: environmentContext(settings, context.now),
  };
  const sections = Object.entries(texts).flatMap(([part, text]) => (text ? { part: part as ContextPart, text } : []));
  return { sections, sources: docs.sources, warnings: docs.warnings };
}

function docsFor({ round, files, home }: Place, cwd: string, config: EffectiveConfig): ProjectDocs {
  const { projectDocMaxBytes, projectDocFallbacks, raw } = config;
  const key = [cwd, projectDocMaxBytes, projectDocFallbacks, raw.project_root_markers];
  return round.get(`docs ${key.join("\n")}`, () => projectDocs(files, { cwd, home, config }));
}

function skillsFor(place: Place, cwd: string, config: EffectiveConfig): string | null {
  const { project_root_markers: markers, skills, plugins, features } = config.raw;
  if (valueAt(config.raw, ["skills", "include_instructions"]) === false) return null;
  const key = JSON.stringify(["skills", cwd, markers, skills, plugins, features, place.extraRoots]);
  return place.round.get(key, () => skillsPrompt(findSkills(place.files, { ...place, cwd, config })) ?? null);
}

function deferredPrompt(namespaces: readonly DeferredNamespace[]): string {
  if (namespaces.length === 0) return "";
  const lines = namespaces.map(({ name, description }) => `- ${name}: ${description}`);
  return `<tools>\nSearch for the tools of these namespaces before you call them:\n${lines.join("\n")}\n</tools>`;
}

/** Named by the nearest file's folder: another cwd with the same instructions is nothing new. */
function agentsMessage({ text, sources }: ProjectDocs): string | undefined {
  const nearest = sources.at(-1);
  return nearest && `# AGENTS.md instructions for ${dirname(nearest)}\n\n${tagged("INSTRUCTIONS", text)}`;
}

const compactionInstruction = `The conversation is about to be cut down to make room. Write the notes with which another model will go on from here; it sees the user's messages and your notes, and nothing else. Do not call tools.

Cover:
- what the user wants, with every constraint, preference and correction that still holds
- what has been done and decided, and why; what was tried and did not work
- the state of things now: files changed, commands still running, test results
- what is left to do, in order, beginning with the very next step
- exact names, paths, commands, values and error texts that will be needed again

Be complete but short. Write only the notes.`;

const summaryIntroduction =
  "Earlier parts of this conversation were cut to make room. Here are the notes on them that were made for you; the work they describe has been done, and its results are in the workspace. Go on from there without doing it again.";

const interruptedWords =
  "The user stopped the previous turn on purpose. Commands and tool calls that were under way may have been carried out in part, and processes may still be running: look before you rely on anything.";
