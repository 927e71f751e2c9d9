import type { Scrubber } from "./scrub.ts";

/** Above this length, a text that matches no kind is prose of the server and no word of the scenario. */
const longestQuote = 300;

/**
 * Kinds of text that a server adds of its own. Each server words them as it likes; that they are there, from whom, and in
 * which order is compared.
 */
const kinds: readonly (readonly [string, RegExp])[] = [
  ["environment", /^<environment_context>/],
  ["project instructions", /^# AGENTS\.md instructions/],
  ["skill", /^<skill>/],
  ["skills", /^<skills_instructions>/],
  ["permissions", /^<permissions instructions>/],
  ["collaboration mode", /^<collaboration_mode>/],
  ["deferred tools", /^<tools>/],
  ["model switch", /^<model_switch>/],
  ["turn aborted", /^<turn_aborted>/],
  ["thread snapshot", /^<thread_snapshot>/],
  ["time", /^<current_time_reminder>/],
  ["shell command", /^<user_shell_command>/],
  ["image", /^<image /],
  ["unreadable image", /could not read the local image|^The local image at .* could not be read/],
  ["personality", /^<personality_spec>/],
  ["compaction request", /^You are performing a CONTEXT CHECKPOINT COMPACTION|^The conversation is about to be cut/],
  ["summary", /^Another language model started to solve this|^Earlier parts of this conversation were cut/],
];

/** A text to the model in comparable form: a kind with the quotes it holds, or the text itself. */
export function describeText(text: string, quotes: readonly string[], scrubber: Scrubber): string {
  const kind = kinds.find(([, pattern]) => pattern.test(text))?.[0];
  if (kind === undefined && text.length <= longestQuote) return JSON.stringify(scrubber.text(text));
  const found = quotes.filter((quote) => text.includes(quote)).sort((a, b) => text.indexOf(a) - text.indexOf(b));
  const holding = found.length > 0 ? ` with ${found.map((quote) => JSON.stringify(quote)).join(", ")}` : "";
  return `<${kind ?? "instructions"}${holding}>`;
}
