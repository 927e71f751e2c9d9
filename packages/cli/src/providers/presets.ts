/** The settings of a well-known provider, as its documentation has them. */
export interface Preset {
  readonly name: string;
  readonly baseUrl: string;
  readonly envKey?: string;
  /** Default `responses`. */
  readonly wireApi?: string;
}

/** Providers that `quire providers add ID` needs no address for. */
export const presets: ReadonlyMap<string, Preset> = new Map(
  Object.entries<Preset>({
    llamacpp: { name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
    vllm: { name: "vLLM", baseUrl: "http://127.0.0.1:8000/v1" },
    openrouter: { name: "OpenRouter", baseUrl: "https://openrouter.ai/api/v1", envKey: "OPENROUTER_API_KEY" },
    groq: { name: "Groq", baseUrl: "https://api.groq.com/openai/v1", envKey: "GROQ_API_KEY" },
    mistral: { name: "Mistral", baseUrl: "https://api.mistral.ai/v1", envKey: "MISTRAL_API_KEY", wireApi: "chat" },
    deepseek: { name: "DeepSeek", baseUrl: "https://api.deepseek.com/v1", envKey: "DEEPSEEK_API_KEY", wireApi: "chat" },
    anthropic: {
      name: "Anthropic",
      baseUrl: "https://api.anthropic.com/v1",
      envKey: "ANTHROPIC_API_KEY",
      wireApi: "anthropic",
    },
    gemini: {
      name: "Google Gemini",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      envKey: "GEMINI_API_KEY",
      wireApi: "gemini",
    },
  }),
);

/** Providers that are built in: they need no table and can have none. */
export const builtIn: ReadonlySet<string> = new Set(["openai", "ollama", "lmstudio", "offline"]);
