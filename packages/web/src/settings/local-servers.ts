import type { Actions } from "../state/actions.ts";
import { formWords } from "../words/words.ts";

/** A server of local models, and where it listens unless told otherwise. */
export interface LocalServer {
  /** The id for its provider. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
}

/** A local server that answers, with its models. */
export interface FoundServer extends LocalServer {
  readonly models: readonly string[];
}

/** Servers of local models at their usual ports. */
const usual: readonly LocalServer[] = [
  { id: "ollama", name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { id: "lmstudio", name: formWords.lmStudio, baseUrl: "http://127.0.0.1:1234/v1" },
  { id: "llamacpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
];

/** Providers that every server has without a table. */
const builtIn: ReadonlySet<string> = new Set(["openai", "ollama", "lmstudio", "offline"]);

/** True for a provider that needs no table, and can have none. */
export const isBuiltIn = (id: string): boolean => builtIn.has(id);

/** Looks for servers of local models on the gateway's machine. */
export async function findLocalServers(actions: Actions): Promise<readonly FoundServer[]> {
  const asked = usual.map(async (server): Promise<readonly FoundServer[]> => {
    const answer = await actions.checkProvider("", { baseUrl: server.baseUrl });
    // Something else may listen at these ports: a server of models lists some, or says that there is none.
    return answer.verdict === "good" ? [{ ...server, models: answer.models }] : [];
  });
  return (await Promise.all(asked)).flat();
}

/** The settings that make a found server's model the one in use. */
export function localSettings({ id, name, baseUrl }: LocalServer, model: string): Readonly<Record<string, unknown>> {
  const table = { name, base_url: baseUrl, wire_api: "responses" };
  return {
    ...(isBuiltIn(id) ? {} : { [`model_providers.${id}`]: table }),
    model_provider: id,
    model,
  };
}
