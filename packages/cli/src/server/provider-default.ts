import type { ServerOptions } from "@quire/server";
import { programName } from "../args/program-name.ts";

/**
 * The provider of a server where none is configured. A program that starts `codex` expects OpenAI's models, or to hear that
 * nobody is logged in; answers of the offline model would look like theirs.
 */
export const providerDefault: Pick<ServerOptions, "defaultProvider"> =
  programName === "codex" ? { defaultProvider: "openai" } : {};
