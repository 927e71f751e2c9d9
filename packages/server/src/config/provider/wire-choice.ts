import type { WireChoice } from "../effective-config.ts";
import type { Settings } from "../settings.ts";

const wires = ["chat", "anthropic", "gemini"] as const;

/** The addresses of the makers of these wires, used unless `base_url` is set. */
const addresses = {
  anthropic: "https://api.anthropic.com/v1",
  gemini: "https://generativelanguage.googleapis.com/v1beta",
} as const;

/** The wire of a provider; `undefined` for the Responses API. Throws a ConfigError for one that there is not. */
export function wireChoice(provider: string, settings: Settings, home: string): WireChoice | undefined {
  const at = (key: string): [string, string, string] => ["model_providers", provider, key];
  const wireApi = settings.string(...at("wire_api"));
  const name = settings.name(...at("package"));
  if (name !== null) {
    if (wireApi !== null) throw settings.error(at("package"), "cannot be combined with wire_api. Remove one of them.");
    // A path would run a file from anywhere.
    if (!/^(@[\w.-]+\/)?[\w-][\w.-]*$/.test(name)) {
      throw settings.error(
        at("package"),
        `${JSON.stringify(name)} is no name of an npm package, as in "@ai-sdk/mistral".`,
      );
    }
    return { package: name, home };
  }
  if (wireApi === null || wireApi === "responses") return undefined;
  const wire = wires.find((each) => each === wireApi);
  if (wire !== undefined) return wire;
  throw settings.error(
    at("wire_api"),
    `"${wireApi}" is not supported. Set it to "responses", "chat", "anthropic" or "gemini", or set package instead.`,
  );
}

/** The address of a wire's maker; `null` for wires that nobody in particular serves. */
export function defaultAddress(wire: WireChoice | undefined): string | null {
  return wire === "anthropic" || wire === "gemini" ? addresses[wire] : null;
}
