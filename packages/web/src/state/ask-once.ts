import type { Actions } from "./actions.ts";

interface Question {
  readonly cwd: string;
  readonly prompt: string;
}

const patienceMs = 90_000;

/** Asks the model something in a thread that is not kept, in which nothing may be changed. Resolves with its last words. */
export async function askOnce(actions: Actions, hub: string, { cwd, prompt }: Question): Promise<string> {
  const { thread } = await actions.request(hub, "thread/start", {
    cwd,
    ephemeral: true,
    sandbox: "read-only",
    approvalPolicy: "never",
  });
  const stops: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      let words = "";
      const hear = <P>(method: string, take: (params: P) => void): void => {
        const stop = actions.onNotification(hub, method, (params) => {
          if ((params as { readonly threadId?: unknown }).threadId === thread.id) take(params as P);
        });
        stops.push(stop);
      };
      hear<{ item: { type: string; text?: string } }>("item/completed", ({ item }) => {
        if (item.type === "agentMessage") words = item.text ?? "";
      });
      hear<{ turn: { status: string; error?: { message: string } | null } }>("turn/completed", ({ turn }) => {
        if (turn.status === "completed") resolve(words.trim());
        else reject(new Error(turn.error?.message ?? "The model was stopped."));
      });
      timer = setTimeout(() => reject(new Error("The model did not answer in time. Try again.")), patienceMs);
      const input = [{ type: "text" as const, text: prompt, text_elements: [] }];
      actions.request(hub, "turn/start", { threadId: thread.id, input }).catch(reject);
    });
  } finally {
    clearTimeout(timer);
    for (const stop of stops) stop();
    void actions.request(hub, "thread/unsubscribe", { threadId: thread.id }).catch(() => undefined);
  }
}
