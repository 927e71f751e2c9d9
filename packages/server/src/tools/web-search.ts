import { bedrockId } from "../config/provider/aws-access.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { TurnSettings } from "../record/turn-settings.ts";

/**
 * The hosted search that the model's own endpoint runs; `web_search = "disabled"` in the configuration takes it away. It
 * reads live pages where commands have the network too, or where the configuration says `live`.
 * `images`: whether the model takes pictures among what is found. Amazon Bedrock searches no live pages.
 */
export function webSearchSpec(
  raw: Readonly<Record<string, unknown>>,
  settings: TurnSettings,
  images = false,
): ToolSpec | undefined {
  if (raw.web_search === "disabled") return undefined;
  const reaches = raw.model_provider !== bedrockId;
  const live = reaches && (raw.web_search === "live" || settings.sandboxPolicy.type === "dangerFullAccess");
  return { type: "web_search", external_web_access: live, ...(images && { search_content_types: ["text", "image"] }) };
}
