import { JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import { bareLoop, startServer } from "../bare-loop.ts";
import { prompt, type TurnContestant } from "./contestant.ts";

/** json-rpc-2.0's own dispatch on lines read by the bare loop. It insists on a version that Codex does not send. */
export const jsonRpc: TurnContestant = async (server) => {
  const { stdin, stdout } = startServer(server);
  const peer = new JSONRPCServerAndClient(
    new JSONRPCServer(),
    new JSONRPCClient((request) => void stdin.write(`${JSON.stringify(request)}\n`)),
  );
  let characters = 0;
  let done: (characters: number) => void = () => {};
  peer.addMethod("item/agentMessage/delta", ({ delta }: { delta: string }) => {
    characters += delta.length;
  });
  peer.addMethod("turn/completed", () => done(characters));
  bareLoop(stdout, (message) => {
    message.jsonrpc = "2.0";
    void peer.receiveAndSend(message);
  });
  await peer.request("initialize", { clientInfo: { name: "peer", title: null, version: "1" } });
  const { thread } = await peer.request("thread/start", {});
  return async () => {
    characters = 0;
    const completed = new Promise<number>((resolve) => {
      done = resolve;
    });
    await peer.request("turn/start", { threadId: thread.id, input: [{ type: "text", text: prompt }] });
    return completed;
  };
};
