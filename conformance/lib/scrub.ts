import type { Names } from "./names.ts";

/** Values that differ from run to run, for {@link Scrubber}. */
export interface Surroundings {
  readonly home: string;
  readonly cwd: string;
  readonly names: Names;
}

const times = /(At|AtMs|_time)$/;
const cursors = /[cC]ursor$/;
/** Scripted by the scenario, though it looks like a time that passes. */
const scripted: ReadonlySet<string> = new Set(["resetsAt"]);
/** Words in place of values that are this machine's, this version's or this run's. */
const fixed: Readonly<Record<string, string>> = {
  userAgent: "<user agent>",
  cliVersion: "<version>",
  processId: "<process>",
  osPid: "<process>",
  serverName: "<machine>",
};

const rewrites: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
  [/sessions\/\d{4}\/\d\d\/\d\d\//g, "sessions/<date>/"],
  [/rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-/g, "rollout-<time>-"],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>"],
  [/Chunk ID: [0-9a-f]+/g, "Chunk ID: <chunk>"],
  [/(Wall time|Duration): [\d.]+ seconds/g, "$1: <n> seconds"],
  [/session ID \d+/g, "session ID <process>"],
  [/aborted by user after [\d.]+s/g, "aborted by user after <n>s"],
  [/--session-id \d+/g, "--session-id <process>"],
  [/("session_id\\?":)\d+/g, '$1"<process>"'],
  [/("(?:created|updated)At\\?":)\d+/g, '$1"<time>"'],
  [/("timeUsedSeconds\\?":)\d+/g, '$1"<duration>"'],
  // The list of all methods is as long as the protocol.
  [/expected one of (`[^`]+`(, )?){40,}/g, "expected one of <all>"],
];

/** Replaces what cannot be the same in two runs: ids, times, paths, ports, process ids, cursors. */
export class Scrubber {
  readonly #names: Names;
  readonly #paths: readonly (readonly [string, string])[];

  constructor({ home, cwd, names }: Surroundings) {
    this.#names = names;
    const temporary = home.replace(/\/user\/\.codex$/, "/tmp");
    this.#paths = [
      [home, "$HOME"],
      [cwd, "$CWD"],
      [temporary, "$TMP"],
      [home.replace(/\/\.codex$/, ""), "$USER"],
    ];
  }

  /** Scrubs a text. */
  text(text: string): string {
    let result = text;
    for (const [path, word] of this.#paths) result = result.replaceAll(path, word);
    for (const [pattern, word] of rewrites) result = result.replace(pattern, word);
    return this.#names.apply(result);
  }

  /** A whole message, keys included. */
  value(value: unknown, field = ""): unknown {
    if (typeof value === "string") return this.#string(value, field);
    if (typeof value === "number")
      return isTime(field) ? "<time>" : field === "durationMs" || field === "timeUsedSeconds" ? "<duration>" : value;
    if (Array.isArray(value)) return value.map((element) => this.value(element, field));
    if (typeof value !== "object" || value === null) return value;
    if (isEstimate(value)) return { ...value, totalTokens: "<estimate>" };
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [this.text(key), this.value(inner, key)]));
  }

  #string(value: string, field: string): string {
    const word = fixed[field];
    if (word !== undefined) return word;
    return cursors.test(field) ? "<cursor>" : this.text(value);
  }
}

function isTime(field: string): boolean {
  return times.test(field) && !scripted.has(field);
}

/** After a compaction the total is what the server guesses from the length of its own prompts. */
function isEstimate(value: object): boolean {
  if (!("totalTokens" in value && "inputTokens" in value && "outputTokens" in value)) return false;
  return value.inputTokens === 0 && value.outputTokens === 0 && value.totalTokens !== 0;
}
