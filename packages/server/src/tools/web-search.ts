import { bedrockId } from "../config/provider/aws-access.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { TurnSettings } from "../record/turn-settings.ts";

/** Facts about the thread besides its settings. */
interface SearchOptions {
  /** False when the thread has offered the search without live pages before. */
  readonly liveSearch?: boolean | undefined;
  /** True when the model accepts pictures in the results. */
  readonly images?: boolean;
}

/**
 * The hosted search of the model's endpoint; `web_search = "disabled"` in the configuration removes it. It reads live
 * pages when commands have network access, or when set to `live`; Amazon Bedrock never does. A wider sandbox policy does
 * not bring live pages into a thread without them, for the sake of prompt caches; a stricter one takes them away.
 */
export function webSearchSpec(
  raw: Readonly<Record<string, unknown>>,
  settings: TurnSettings,
  { liveSearch, images = false }: SearchOptions = {},
): ToolSpec | undefined {
  if (raw.web_search === "disabled") return undefined;
  const reaches = raw.model_provider !== bedrockId;
  const isOpen = settings.sandboxPolicy.type === "dangerFullAccess" && liveSearch !== false;
  const live = reaches && (raw.web_search === "live" || isOpen);
  return { type: "web_search", external_web_access: live, ...(images && { search_content_types: ["text", "image"] }) };
}
