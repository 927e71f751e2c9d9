/** Compiles, or the types that users rely on have changed. */
import type { CodexClient, ThreadHandle } from "@quire/client";
import { jsonSchema } from "@quire/client";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

declare const thread: ThreadHandle;
declare const client: CodexClient;

export async function outputs(): Promise<void> {
  const plain = await thread.run("x");
  plain.output satisfies undefined;
  const fromZod = await thread.run("x", { output: z.object({ n: z.number() }) });
  fromZod.output.n satisfies number;
  const fromValibot = await thread.run("x", { output: v.object({ s: v.string() }) });
  fromValibot.output.s satisfies string;
  const fromArktype = await thread.run("x", { output: type({ b: "boolean" }) });
  fromArktype.output.b satisfies boolean;
  const typed = await thread.run("x", { output: jsonSchema<{ t: true }>({ type: "object" }) });
  typed.output.t satisfies true;
  const bare = await thread.run("x", { output: { type: "object" } });
  bare.output satisfies unknown;
  // @ts-expect-error A bare JSON Schema says nothing of the type.
  bare.output satisfies undefined;
}

export async function events(): Promise<void> {
  for await (const event of thread.run("x")) {
    if (event.type === "agentMessage.delta") event.delta satisfies string;
    if (event.type === "item.completed" && event.item.type === "commandExecution") event.item.command satisfies string;
    if (event.type === "turn.completed") event.turn.id satisfies string;
  }
  const { thread: read } = await client.request("thread/read", { threadId: "x" });
  read.id satisfies string;
  // @ts-expect-error There is no such method.
  await client.request("thread/nope", {});
}
