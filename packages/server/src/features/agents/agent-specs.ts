import type { ToolSpec } from "../../model/model-provider.ts";

/** The namespace in which a model finds the tools for its agents. */
export const agentNamespace = "multi_agent_v1";

const text = (description: string) => ({ type: "string", description });

const items = {
  type: "array",
  description: "Structured input, in place of message.",
  items: {
    type: "object",
    properties: {
      type: text("text, image, local_image, skill or mention."),
      text: text("For type text."),
      image_url: text("For type image."),
      path: text("For type local_image, skill or mention."),
      name: text("For type skill or mention."),
    },
    additionalProperties: false,
  },
};

function spec(name: string, description: string, properties: object, required: readonly string[] = []): ToolSpec {
  const parameters = {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return { type: "function", name, description, strict: false, parameters };
}

/** The specs of the tools for agents. */
export const agentSpecs: readonly ToolSpec[] = [
  spec(
    "close_agent",
    "Ends an agent and all agents below it. Gives its last status.",
    { target: text("The agent's id.") },
    ["target"],
  ),
  spec("resume_agent", "Takes up an agent that was closed, with all it knew.", { id: text("The agent's id.") }, ["id"]),
  spec(
    "send_input",
    "Gives an agent something more to do. While it works, the message is added to its work.",
    {
      target: text("The agent's id."),
      message: text("What to tell it."),
      items,
      interrupt: { type: "boolean", description: "Whether it drops what it is doing first. Default false." },
    },
    ["target"],
  ),
  spec(
    "spawn_agent",
    "Starts an agent that works on a task of its own, at the same time. Gives its id; wait_agent gives its answer.",
    {
      message: text("The task, with all that the agent needs to know."),
      items,
      fork_context: { type: "boolean", description: "Whether the agent knows all that was said here. Default false." },
      model: text("Another model for the agent. Leave it out unless the user asked for one."),
      reasoning_effort: text("Another effort for the agent."),
    },
  ),
  spec(
    "wait_agent",
    "Waits until one of the agents has finished. Gives the status of those that have.",
    {
      targets: { type: "array", description: "Ids of agents.", items: { type: "string" } },
      timeout_ms: { type: "number", description: "How long to wait. Default 30000, from 10000 to 3600000." },
    },
    ["targets"],
  ),
];

/** The namespace of all of them. */
const agentGroup: ToolSpec = {
  type: "namespace",
  name: agentNamespace,
  description: "Agents that work on parts of a task at the same time. Use them when the user asks for it.",
  tools: agentSpecs,
};

/** The namespace, in which an agent may also be started with one of these models. */
export function agentGroupWith(models: readonly string[]): ToolSpec {
  if (models.length === 0) return agentGroup;
  const others = `Also ${models.join(", ")}: take one where the user asked for it or it fits the task.`;
  return {
    ...agentGroup,
    tools: agentSpecs.map((spec) => (spec.name === "spawn_agent" ? withModels(spec, others) : spec)),
  };
}

function withModels(spec: ToolSpec, others: string): ToolSpec {
  const parameters = spec.parameters as { readonly properties: { readonly model: { readonly description: string } } };
  const { model } = parameters.properties;
  const properties = { ...parameters.properties, model: text(`${model.description} ${others}`) };
  return { ...spec, parameters: { ...parameters, properties } };
}
