import { jsonSchema, type Tool, tool } from "@quire/client";
import { isStateIn } from "../../tracker/issue.ts";
import { editIssue } from "./edit-issue.ts";
import { codeOf, type FolderStore } from "./folder-store.ts";
import { rewriteFile } from "./write-issue.ts";

interface Input {
  readonly state?: string;
  readonly comment?: string;
  readonly add_labels?: readonly string[];
  readonly remove_labels?: readonly string[];
}

/** Limits of the tool. */
export interface UpdateScope {
  /** The only issue that it changes. */
  readonly identifier: string;
  /** The only states that it sets; null for any. */
  readonly states: readonly string[] | null;
  /** Called when the state was set. */
  readonly changed?: (() => void) | undefined;
}

/** Serializes changes: two calls at once must not undo each other. */
const queues = new Map<string, Promise<unknown>>();

/** Lets the agent change the issue that it works on: its state, its labels, and comments. */
export function trackerUpdateTool(store: FolderStore, { identifier, states, changed }: UpdateScope): Tool {
  const input = jsonSchema<Input>({
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: {
      state: { type: "string", minLength: 1, description: stateHelp(states) },
      comment: { type: "string", minLength: 1, description: "Markdown that is added to the end of the issue" },
      add_labels: { type: "array", items: { type: "string", minLength: 1 } },
      remove_labels: { type: "array", items: { type: "string" } },
    },
  });
  return tool<Input>({
    name: "tracker_update",
    description: `Changes issue ${identifier}: sets its state, adds a comment, adds or removes labels.`,
    input,
    async run({ state, comment, add_labels, remove_labels }) {
      if (state !== undefined && (state.trim() === "" || /[\r\n]/.test(state)))
        throw new Error("A state is one line of text.");
      if (state !== undefined && states !== null && !isStateIn(state, states)) {
        throw new Error(`"${state}" is none of the states: ${states.join(", ")}.`);
      }
      const path = store.path(identifier);
      const edit = { state: state?.trim(), comment, addLabels: add_labels, removeLabels: remove_labels };
      await inSequence(path, () => rewriteFile(path, (content) => editIssue(content, edit, new Date()))).catch(explain);
      if (state !== undefined) changed?.();
      const content = await store.one(identifier);
      if (content === undefined || typeof content === "string") throw new Error(content ?? "The issue is gone.");
      const { state: now, labels } = content.issue;
      return { issue: identifier, state: now, labels };
    },
  }) as Tool;
}

const stateHelp = (states: readonly string[] | null) =>
  states === null ? "The new state" : `The new state: ${states.join(", ")}`;

async function inSequence<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve();
  const mine = before.then(work, work);
  const settled = mine.then(
    () => undefined,
    () => undefined,
  );
  queues.set(path, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(path) === settled) queues.delete(path);
  }
}

function explain(error: unknown): never {
  if (codeOf(error) === "ENOENT") throw new Error("The issue's file is gone: it was moved or deleted.");
  throw error;
}
