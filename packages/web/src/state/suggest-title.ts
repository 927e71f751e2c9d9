import type { ThreadItem } from "@quire/protocol";
import type { Actions } from "./actions.ts";
import type { ThreadSummary } from "./model.ts";

/** Time for a model to think of a title. */
const timeoutMs = 60_000;
const maxTitle = 80;

/**
 * Lets the server's model think of a title for a thread, in a thread that is not stored, reads nothing and asks nobody.
 * Resolves with the title.
 */
export async function suggestTitle(actions: Actions, { key, preview, model }: ThreadSummary): Promise<string> {
  const { hub } = key;
  const { thread } = await actions.request(hub, "thread/start", {
    ephemeral: true,
    sandbox: "read-only",
    approvalPolicy: "never",
    ...(model === null ? {} : { model }),
  });
  const said = Promise.withResolvers<string>();
  let text = "";
  const ofThread = (params: unknown): boolean => (params as { threadId?: unknown }).threadId === thread.id;
  const stops = [
    actions.onNotification(hub, "item/completed", (params) => {
      const { item } = params as { readonly item: ThreadItem };
      if (ofThread(params) && item.type === "agentMessage") text = item.text;
    }),
    actions.onNotification(hub, "turn/completed", (params) => {
      if (ofThread(params)) said.resolve(text);
    }),
  ];
  const timer = setTimeout(() => said.reject(new Error("The model gave no title in time. Try again.")), timeoutMs);
  try {
    const task = `Give a title of three to six words to this task. Answer with the title alone.\n\n${preview.slice(0, 2000)}`;
    await actions.request(hub, "turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: task, text_elements: [] }],
    });
    const title = tidy(await said.promise);
    if (title === "") throw new Error("The model gave no title. Name the thread yourself.");
    return title;
  } finally {
    clearTimeout(timer);
    for (const stop of stops) stop();
    actions.request(hub, "thread/unsubscribe", { threadId: thread.id }).catch(() => undefined);
  }
}

/** The first line, without quotes, marks and a full stop around it. */
function tidy(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line
    .replaceAll(/^[\s"'“”*#]+|[\s"'“”*.]+$/g, "")
    .slice(0, maxTitle)
    .trim();
}
