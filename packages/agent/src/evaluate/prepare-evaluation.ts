import { realpath } from "node:fs/promises";
import process from "node:process";
import type { FlatToolSpec } from "@quire/client/tools";
import { promptRendered, renderedTools } from "../events/build-events.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { RenderedPrompt } from "../prompt/rendered-prompt.ts";
import { WorkspaceSection } from "../prompt/workspace-section.ts";
import { publish } from "../session/publish.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AgentSettings } from "./agent-settings.ts";
import type { EvaluationScope } from "./evaluation-scope.ts";

/** Tells the session what is about to be sent: the text, then the tools. */
export function announce(scope: EvaluationScope, rendered: RenderedPrompt, specs: readonly FlatToolSpec[]): void {
  const { prompt, session, options, redactor, logger, emit } = scope;
  const { clock } = scope.settings;
  const renderEvent = promptRendered({
    prompt,
    sessionId: session.id,
    renderInputs: rendered.inputs,
    renderedPrompt: redactor.text(rendered.text),
    descriptor: rendered.descriptor,
    runContext: options.runContext,
    clock,
  });
  publish(session, renderEvent, logger);
  const tools = specs.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }));
  publish(session, renderedTools({ renderEvent, tools, clock }), logger);
  const { eventName: promptName } = prompt;
  emit?.({
    type: "prompt.rendered",
    promptName,
    text: renderEvent.renderedPrompt,
    tools: tools.map(({ name }) => name),
  });
}

/** The workspace that a prompt brings along. */
export function workspaceOf(prompt: Prompt): Workspace | undefined {
  for (const { section } of prompt.template.allSections()) {
    if (section instanceof WorkspaceSection) return section.workspace;
  }
  return undefined;
}

/** The folder that the agent works in. */
export async function workingFolder({ client }: AgentSettings, workspace: Workspace | undefined): Promise<string> {
  return client.cwd ?? workspace?.dir ?? (await realpath(process.cwd()));
}
