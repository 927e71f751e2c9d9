import { jsonSchema, type Tool, tool } from "@quire/client";
import type { ToolSession } from "../../tracker/tracker.ts";
import type { JsonObject } from "../records/normalize.ts";
import { redactForModel } from "../remote/redact.ts";
import type { LinearClient } from "./client.ts";
import { checkMutations } from "./tool-scope.ts";

interface Input {
  readonly query: string;
  readonly variables?: JsonObject | null;
}

const input = jsonSchema<Input>({
  type: "object",
  additionalProperties: false,
  required: ["query"],
  properties: {
    query: { type: "string", minLength: 1, description: "One GraphQL query or mutation" },
    variables: { type: ["object", "null"], description: "Its variables", additionalProperties: true },
  },
});

/** Lets the agent call Linear's GraphQL API with the host's credential: to read, and to change its issue. */
export function linearGraphqlTool(client: LinearClient, { issue, changed }: ToolSession): Tool {
  const isNarrow = client.settings.toolScope === "issue";
  const scope = isNarrow ? ` Mutations may change only the issue ${issue.id}.` : "";
  return tool<Input>({
    name: "linear_graphql",
    description: `Runs one GraphQL query or mutation in Linear; authentication is added for you.${scope} Gives Linear's answer.`,
    input,
    async run({ query, variables }, { signal }) {
      if (query.trim() === "") throw new Error("The query is empty: write one GraphQL query or mutation.");
      if (isNarrow) checkMutations({ query, variables: variables ?? {}, issue });
      const { status, data, errors } = await client.send({ query, variables: variables ?? {}, signal });
      const answer = redactForModel(
        JSON.stringify(errors.length > 0 ? { errors, data } : { data }),
        client.settings.apiKey,
      );
      if (errors.length > 0) throw new Error(answer);
      if (status !== 200) throw new Error(`Linear answered ${status}: try again later.`);
      if (/\bmutation\b/.test(query)) changed?.();
      return answer;
    },
  }) as Tool;
}
