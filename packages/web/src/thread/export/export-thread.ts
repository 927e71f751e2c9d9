import { RpcError } from "@quire/client";
import { shellScript, type ThreadItem, type Turn } from "@quire/protocol";
import type { Actions } from "../../state/actions.ts";
import type { ThreadSummary } from "../../state/model.ts";
import { threadTitle } from "../../state/thread-title.ts";

import { exportWords as words } from "../../words/words.ts";
import { callText } from "./call-text.ts";

/** Forms in which a thread is exported. */
export type ExportFormat = "markdown" | "html" | "json";

const pageSize = 100;

/** Downloads a whole thread, as its server has stored it. */
export async function exportThread(actions: Actions, thread: ThreadSummary, format: ExportFormat): Promise<void> {
  const turns = await allTurns(actions, thread);
  const title = threadTitle(thread);
  const { ending, type } = kinds[format];
  download(`${fileName(title)}.${ending}`, new Blob([await textOf(format, { title, thread, turns })], { type }));
}

/**
 * Shares a thread: as an HTML file by the system where it takes files, as on a phone, else as Markdown in the clipboard.
 * Resolves with whether it was copied.
 */
export async function shareThread(actions: Actions, thread: ThreadSummary): Promise<boolean> {
  const turns = await allTurns(actions, thread);
  const title = threadTitle(thread);
  const html = await textOf("html", { title, thread, turns });
  const file = new File([html], `${fileName(title)}.html`, { type: kinds.html.type });
  if (navigator.canShare?.({ files: [file] }) === true) {
    await navigator.share({ title, files: [file] });
    return false;
  }
  await navigator.clipboard.writeText(markdownOf(title, turns));
  return true;
}

const fileName = (title: string): string => title.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60) || "thread";

const kinds: Readonly<Record<ExportFormat, { readonly ending: string; readonly type: string }>> = {
  markdown: { ending: "md", type: "text/markdown" },
  html: { ending: "html", type: "text/html" },
  json: { ending: "json", type: "application/json" },
};

interface Exported {
  readonly title: string;
  readonly thread: ThreadSummary;
  readonly turns: readonly Turn[];
}

async function textOf(format: ExportFormat, { title, thread, turns }: Exported): Promise<string> {
  if (format === "markdown") return markdownOf(title, turns);
  if (format === "html") return (await import("./export-html.tsx")).htmlOf(title, turns);
  return `${JSON.stringify({ id: thread.key.thread, title, cwd: thread.cwd, turns }, null, 2)}\n`;
}

async function allTurns(actions: Actions, { key }: ThreadSummary): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  let cursor: string | null = null;
  try {
    do {
      const params = {
        threadId: key.thread,
        cursor,
        limit: pageSize,
        sortDirection: "asc",
        itemsView: "full",
      } as const;
      const page: { readonly data: readonly Turn[]; readonly nextCursor?: string | null } = await actions.request(
        key.hub,
        "thread/turns/list",
        params,
      );
      turns.push(...page.data);
      cursor = page.nextCursor ?? null;
    } while (cursor !== null);
    return turns;
  } catch (error) {
    if (!RpcError.is(error)) throw error;
  }
  // Servers without pages give a thread in one piece.
  const { thread } = await actions.request(key.hub, "thread/read", { threadId: key.thread, includeTurns: true });
  return thread.turns;
}

/** A thread as a document: messages as they are, everything else in a line or a block of code. */
export function markdownOf(title: string, turns: readonly Turn[]): string {
  const parts = turns.flatMap(({ items, error }) => [
    ...items.flatMap(itemText),
    ...(error ? [`> **${words.failed}** ${error.message.replaceAll("\n", "\n> ")}`] : []),
  ]);
  return `${[`# ${title}`, ...parts].join("\n\n")}\n`;
}

function itemText(item: ThreadItem): readonly string[] {
  switch (item.type) {
    case "userMessage": {
      const text = item.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
      return [`## ${words.you}\n\n${text}`];
    }
    case "agentMessage":
      return item.text.trim() === "" ? [] : [`## ${words.agent}\n\n${item.text}`];
    case "plan":
      return [`## ${words.plan}\n\n${item.text}`];
    case "exitedReviewMode":
      return [`## ${words.review}\n\n${item.review}`];
    case "commandExecution": {
      const output = (item.aggregatedOutput ?? "").trimEnd();
      return [fenced(`$ ${shellScript(item.command)}${output === "" ? "" : `\n${output}`}`, "console")];
    }
    case "fileChange":
      return (item.changes ?? []).map(({ path, diff }) => `**${path}**\n\n${fenced(diff.trimEnd(), "diff")}`);
    default: {
      const call = callText(item);
      return call === null ? [] : [`**${call.title}**\n\n${fenced(call.body, "")}`];
    }
  }
}

/** A block of code whose fence is longer than any in it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
