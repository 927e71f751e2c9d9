import { CodexClient } from "@quire/client";
import { prompt, type TurnContestant } from "./contestant.ts";

/** As in the README: iterate the turn for its deltas, then await it. */
export const quire: TurnContestant = async (command) => {
  const client = await CodexClient.spawn({ command });
  const thread = await client.thread();
  return async () => {
    const turn = thread.run(prompt);
    let characters = 0;
    for await (const event of turn) if (event.type === "agentMessage.delta") characters += event.delta.length;
    const { agentMessage } = await turn;
    if (agentMessage.length !== characters) throw new Error("The result and the deltas differ");
    return characters;
  };
};
