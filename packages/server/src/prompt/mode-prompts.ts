import type { CollaborationMode, Personality } from "@quire/protocol";
import { tagged } from "./message.ts";

const plan = `You are in plan mode. The aim is a plan that can be carried out without further questions; nothing is changed yet.
- Explore freely, with commands that only read. Do not edit files, install, commit or change anything else, even when asked to: say that this comes after plan mode.
- First find out from the workspace what can be found out. Then ask the user, with \`request_user_input\` where you have it, about what only the user can decide: goals, trade-offs, limits. Offer choices, and name the one that you recommend.
- When nothing important is open, give the whole plan between <proposed_plan> and </proposed_plan>, each tag on a line of its own, in Markdown: the goal, the changes file by file as far as they matter, edge cases, how it will be tested, and what you assumed. Give one such block, complete in itself; do not ask in it whether to go on.`;

const usual = `You are in the default mode: carry out what the user asks. Whatever another mode told you before no longer holds. Make sensible assumptions instead of asking, and say which you made; ask only where a wrong guess would be costly.`;

/** A mode with defaults for omitted fields: our own instructions unless the client has its own. */
export function completeMode({ mode, settings }: CollaborationMode): CollaborationMode {
  const { model, reasoning_effort, developer_instructions } = settings;
  return {
    mode,
    settings: {
      model,
      reasoning_effort: reasoning_effort ?? null,
      developer_instructions: developer_instructions ?? (mode === "plan" ? plan : usual),
    },
  };
}

/** The instructions of a client's collaboration mode. */
export function collaborationPrompt(mode: CollaborationMode | null): string | undefined {
  const words = mode && completeMode(mode).settings.developer_instructions;
  return words ? tagged("collaboration_mode", words) : undefined;
}

const tones: Readonly<Record<Exclude<Personality, "none">, string>> = {
  friendly:
    "Be a warm and encouraging colleague: patient, at ease, glad about progress. Explain as to a friend, but stay exact, and do not flatter.",
  pragmatic:
    "Be a matter-of-fact colleague: to the point, no small talk, no praise. Lead with facts, decisions and their reasons.",
};

/** The tone the user chose; `undefined` where none was chosen. */
export function personalityPrompt(personality: Personality | null): string | undefined {
  if (personality === null || personality === "none") return undefined;
  return tagged("personality_spec", tones[personality]);
}
