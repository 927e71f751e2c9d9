import { fetchList } from "./fetch-models.ts";

/** A server of local models, and where it listens unless told otherwise. */
interface LocalServer {
  /** The id for its provider. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
}

/** A local server that answers. */
export interface FoundServer extends LocalServer {
  /** Names of the models that it lists. */
  readonly models: readonly string[];
}

/** Servers of local models at their usual ports. */
const usual: readonly LocalServer[] = [
  { id: "ollama", name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { id: "lmstudio", name: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  { id: "llamacpp", name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { id: "vllm", name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
];

/** They are on this machine: one that needs longer is none. */
const deadlineMs = 1500;

/** Looks for servers of local models on this machine, only when somebody asks. No key is sent. */
export async function findLocalServers(candidates: readonly LocalServer[] = usual): Promise<FoundServer[]> {
  const asked = candidates.map(async (server): Promise<FoundServer[]> => {
    try {
      const models = await fetchList(`${server.baseUrl}/models`, {}, deadlineMs);
      return [{ ...server, models: models.map(({ id }) => id) }];
    } catch {
      // Nobody listens there, or something else does.
      return [];
    }
  });
  return (await Promise.all(asked)).flat();
}
