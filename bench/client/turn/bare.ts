import { bareLoop, type Message, startServer } from "../bare-loop.ts";
import { prompt, type TurnContestant } from "./contestant.ts";

/** The least that reads a turn: it looks at nothing but the name of each message, to know the end. */
export const bare: TurnContestant = async (server) => {
  const { stdin, stdout } = startServer(server);
  let receive: (message: Message) => void = () => {};
  bareLoop(stdout, (message) => receive(message));
  const call = (id: number, method: string, params: unknown) =>
    new Promise<Message>((resolve) => {
      receive = resolve;
      stdin.write(`${JSON.stringify({ method, id, params })}\n`);
    });
  await call(0, "initialize", { clientInfo: { name: "bare", title: null, version: "1" } });
  const { result } = await call(1, "thread/start", {});
  const threadId = (result as { thread: { id: string } }).thread.id;
  return () =>
    new Promise((resolve) => {
      let characters = 0;
      receive = (message) => {
        if (message.method === "item/agentMessage/delta") {
          characters += (message.params as { delta: string }).delta.length;
        } else if (message.method === "turn/completed") resolve(characters);
      };
      const params = { threadId, input: [{ type: "text", text: prompt, text_elements: [] }] };
      stdin.write(`${JSON.stringify({ method: "turn/start", id: 2, params })}\n`);
    });
};
