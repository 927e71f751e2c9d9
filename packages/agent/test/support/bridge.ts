import { definePrompt, markdown, type PromptDefinition, Session, type Tool } from "@quire/agent";
import type { AnySection } from "@quire/agent/prompts";
import { ToolBridge, type ToolBridgeOptions } from "@quire/agent/tools";

/** What {@link bridgeOf} takes: how the prompt and the bridge are set up. */
export interface BridgeSetUp extends Partial<Omit<ToolBridgeOptions, "prompt" | "rendered">> {
  readonly tools?: readonly Tool[];
  readonly define?: Partial<PromptDefinition<readonly AnySection[], unknown>>;
}

/** A bridge over a prompt with these tools, its session, and a way to call them as a server would. */
export async function bridgeOf({ tools = [], define = {}, session = new Session(), ...options }: BridgeSetUp) {
  const sections = [markdown({ key: "task", title: "Task", template: "Do it.", tools })];
  const prompt = definePrompt({ ns: "test", key: "bridge", sections, ...define }).bind();
  const lease = await prompt.resources.enter();
  const rendered = await prompt.render({ session });
  const bridge = new ToolBridge({ prompt, rendered, session, ...options });
  return {
    bridge,
    session,
    prompt,
    rendered,
    async call(name: string, args: unknown = {}, signal?: AbortSignal) {
      const request = {
        tool: name,
        arguments: args as never,
        callId: "call-1",
        threadId: "thread-1",
        turnId: "turn-1",
      };
      const { success, contentItems } = await bridge.call(request, signal);
      const texts = contentItems.map((item) => (item.type === "inputText" ? item.text : item.type));
      return { success, text: texts[0] ?? "", texts, contentItems };
    },
    [Symbol.asyncDispose]: () => lease[Symbol.asyncDispose](),
  };
}
