import type { FunctionCallOutputBody, ToolRequestUserInputOption, ToolRequestUserInputQuestion } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../approval/tool-context.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { Arguments, badArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";
import { isToolOff } from "./tool-switch.ts";

const spec: ToolSpec = {
  type: "function",
  name: "request_user_input",
  description: "Asks the user up to three short questions and waits for the answers. Only in Plan mode.",
  strict: false,
  parameters: {
    type: "object",
    properties: {
      questions: {
        type: "array",
        description: "One to three questions.",
        items: {
          type: "object",
          properties: {
            header: { type: "string", description: "A label of at most 12 characters." },
            id: { type: "string", description: "Under which the answer comes back; snake_case." },
            options: {
              type: "array",
              description:
                "Two or three answers to choose from, the one you would take first. The user can also answer freely.",
              items: {
                type: "object",
                properties: {
                  description: { type: "string", description: "What choosing it means, in one sentence." },
                  label: { type: "string", description: "One to five words." },
                },
                required: ["label", "description"],
                additionalProperties: false,
              },
            },
            question: { type: "string", description: "The question, in one sentence." },
          },
          required: ["id", "header", "question", "options"],
          additionalProperties: false,
        },
      },
    },
    required: ["questions"],
    additionalProperties: false,
  },
};

/** `request_user_input`: the model's questions to the users of a thread. */
export const requestUserInputTool: Tool = {
  spec,
  name: "request_user_input",
  namespace: null,
  isOn: ({ raw }) => !isToolOff(raw, "experimental_request_user_input"),
  run,
};

async function run(call: ToolCall, context: ToolContext): Promise<FunctionCallOutputBody> {
  if (context.settings.collaborationMode?.mode !== "plan") {
    throw new ToolFailure("request_user_input is unavailable in Default mode");
  }
  const questions = new Arguments(call).requiredList("questions").map(readQuestion);
  const params = { itemId: call.callId, questions, isBlocking: true, autoResolutionMs: null };
  const release = context.hold("waitingOnUserInput");
  try {
    const { answers } = await context.ask("item/tool/requestUserInput", params);
    return JSON.stringify({ answers: answers ?? {} });
  } catch (error) {
    if (context.signal.aborted) throw error;
    // A client that refuses has not answered; the model is to continue without.
    return JSON.stringify({ answers: {} });
  } finally {
    release();
  }
}

function readQuestion(given: Readonly<Record<string, unknown>>): ToolRequestUserInputQuestion {
  const { id, header, question, options } = given;
  if (typeof id !== "string" || typeof header !== "string" || typeof question !== "string") {
    throw badArguments("a question needs `id`, `header` and `question`, each a string");
  }
  if (!Array.isArray(options) || options.length === 0) {
    throw new ToolFailure("request_user_input requires non-empty options for every question");
  }
  return { id, header, question, isOther: true, isSecret: false, options: options.map(readOption) };
}

function readOption(given: unknown): ToolRequestUserInputOption {
  const { label, description } = (given ?? {}) as Record<string, unknown>;
  if (typeof label === "string" && typeof description === "string") return { label, description };
  throw badArguments("an option needs `label` and `description`, each a string");
}
