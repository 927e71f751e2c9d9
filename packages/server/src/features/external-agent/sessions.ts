import { join } from "node:path";
import type { ResponseItem, SessionMigration, UserInput } from "@quire/protocol";
import type { RequestScope } from "../../context/processor.ts";
import { isTable, type Table } from "../../lib/table.ts";
import { newRecord } from "../../record/fold.ts";
import type { NewLine } from "../../record/rollout-line.ts";
import { event } from "../../record/rollout-line.ts";
import { newMeta } from "../../thread/new-thread.ts";
import { openSettings } from "../../thread/open-settings.ts";
import { listFolder } from "../../workspace-files/list-folder.ts";
import { fileStats, readFile } from "../../workspace-files/read-file.ts";
import { anywhere } from "../../workspace-files/root.ts";
import type { ServerCore } from "../open-core.ts";
import { coreOf } from "../open-core.ts";

/** The limits of offered sessions. */
export interface SessionLimits {
  readonly maxAgeDays: number;
  readonly max: number;
}

const maxBytes = 64 << 20;
const titleLength = 100;

interface Exchange {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly atMs: number;
}

/** The latest conversations, newest first, but for those that were taken over before. */
export function recentSessions(folder: string, known: ReadonlySet<string>, limits: SessionLimits): SessionMigration[] {
  const oldest = Date.now() - limits.maxAgeDays * 24 * 3600 * 1000;
  const list = (path: string) => listFolder(path, anywhere(path));
  const files = list(folder)
    .flatMap((project) => list(join(folder, project)).map((name) => join(folder, project, name)))
    .filter((path) => path.endsWith(".jsonl") && !known.has(path))
    .map((path) => ({ path, stats: fileStats(path, anywhere(path)) }))
    .filter(({ stats }) => stats !== undefined && stats.mtimeMs >= oldest && stats.size <= maxBytes)
    .sort((a, b) => (b.stats?.mtimeMs ?? 0) - (a.stats?.mtimeMs ?? 0));
  const sessions: SessionMigration[] = [];
  for (const { path } of files) {
    if (sessions.length >= limits.max) break;
    const { cwd, exchanges } = readSession(path);
    const first = exchanges.find(({ role }) => role === "user");
    if (cwd !== null && first) sessions.push({ path, cwd, title: titleOf(first.text) });
  }
  return sessions;
}

/** Makes a thread of a conversation. Gives the thread's id. */
export async function importSession(scope: RequestScope, { path, cwd }: SessionMigration): Promise<string> {
  const core = coreOf(scope.server);
  const { exchanges } = readSession(path);
  const { settings, config } = openSettings(core, { cwd });
  const meta = newMeta(scope, { cwd, modelProvider: settings.modelProvider });
  const rollout = core.store.create(meta);
  const record = newRecord(meta, rollout.path);
  const thread = core.threads.add({ record, rollout, settings, config, ephemeral: false });
  thread.writeNow([event({ kind: "settings", settings }), ...turnsOf(exchanges)]);
  await unload(core, thread.id);
  return thread.id;
}

const unload = (core: ServerCore, id: string): Promise<void> => core.threads.unload(id);

/** A turn for each message of the user. */
function* turnsOf(exchanges: readonly Exchange[]): Generator<NewLine> {
  let open: { readonly id: string; readonly startedAtMs: number; lastMs: number } | undefined;
  const close = (): NewLine[] =>
    open
      ? [
          event({
            kind: "turn_completed",
            turnId: open.id,
            status: "completed",
            error: null,
            completedAtMs: open.lastMs,
            durationMs: open.lastMs - open.startedAtMs,
          }),
        ]
      : [];
  for (const { role, text, atMs } of exchanges) {
    if (role === "user" || !open) {
      yield* close();
      const id = Bun.randomUUIDv7();
      open = { id, startedAtMs: atMs, lastMs: atMs };
      yield event({ kind: "turn_started", turnId: id, startedAtMs: atMs, rootTurnId: id });
    }
    open.lastMs = atMs;
    const times = { startedAtMs: atMs, completedAtMs: atMs };
    const content: UserInput[] = [{ type: "text", text, text_elements: [] }];
    const item =
      role === "user"
        ? ({ type: "userMessage", id: Bun.randomUUIDv7(), clientId: null, content, ...times } as const)
        : ({
            type: "agentMessage",
            id: Bun.randomUUIDv7(),
            text,
            phase: null,
            memoryCitation: null,
            delivery: null,
            questions: null,
            ...times,
          } as const);
    yield event({ kind: "item_completed", turnId: open.id, item });
    yield { type: "response_item", payload: said(role, text), turnId: open.id };
  }
  yield* close();
}

function said(role: Exchange["role"], text: string): ResponseItem {
  const content = role === "user" ? { type: "input_text" as const, text } : { type: "output_text" as const, text };
  return { type: "message", role, content: [content] };
}

function readSession(path: string): { readonly cwd: string | null; readonly exchanges: readonly Exchange[] } {
  let cwd: string | null = null;
  const exchanges: Exchange[] = [];
  const file = readFile(path, { ...anywhere(path), maxBytes });
  if (file === undefined) throw new Error(`${path} no longer exists`);
  for (const line of file.bytes.toString("utf8").split("\n")) {
    const entry = parse(line);
    if (typeof entry.cwd === "string") cwd ??= entry.cwd;
    const { message } = entry;
    if (entry.isMeta === true || entry.isSidechain === true || !isTable(message)) continue;
    const role = entry.type;
    const text = textOf(message.content);
    if ((role !== "user" && role !== "assistant") || text === "") continue;
    const atMs = Date.parse(String(entry.timestamp)) || Date.now();
    exchanges.push({ role, text, atMs });
  }
  return { cwd, exchanges };
}

function parse(line: string): Table {
  try {
    const value: unknown = JSON.parse(line);
    return isTable(value) ? value : {};
  } catch {
    return {};
  }
}

/** The text of a message; calls are left out, since the tools differ. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.flatMap((part) => (isTable(part) && part.type === "text" ? [String(part.text)] : []));
  return texts.join("\n");
}

function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > titleLength ? `${line.slice(0, titleLength - 1)}…` : line;
}
