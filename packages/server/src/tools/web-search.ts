import { bedrockId } from "../config/provider/aws-access.ts";
import type { ToolSpec } from "../model/model-provider.ts";
import type { TurnSettings } from "../record/turn-settings.ts";

/**
 * The hosted search of the model's endpoint; `web_search = "disabled"` in the configuration removes it. It reads live
 * pages when commands have network access, or when set to `live`; Amazon Bedrock never does. `images`: true when the
 * model accepts pictures in the results.
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
