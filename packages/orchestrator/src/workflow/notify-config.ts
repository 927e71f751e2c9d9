import { TrackerError } from "../tracker/tracker-error.ts";
import { reference, textSetting } from "../trackers/records/settings.ts";
import type { Settings } from "./settings.ts";

const occasions = ["blocked", "gave_up", "finished", "over_budget", "delivered"] as const;

/** Something that people are told of. */
export type Occasion = (typeof occasions)[number];

/** Address and occasions of notices. */
export interface NotifyConfig {
  readonly url: string;
  /** As it is written, which a person agrees to. */
  readonly written: string;
  /** Variable that holds the address, which is a secret. */
  readonly secretEnvName: string | null;
  readonly format: "json" | "slack";
  readonly on: readonly Occasion[];
}

/** Reads `notify`; null where the workflow has none. */
export function parseNotify(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): NotifyConfig | null {
  if (settings.keys().length === 0) return null;
  const written = settings.text("url") ?? "";
  const url = URL.parse(textSetting({ url: written }, "url", env) ?? "");
  const isLocal = url !== null && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLocal))) {
    throw new TrackerError(
      "invalid_tracker_config",
      "notify.url must be an https address, or name a variable with one.",
    );
  }
  const on = settings.texts("on")?.map((name) => {
    const known = occasions.find((one) => one === name.trim());
    if (known !== undefined) return known;
    throw new TrackerError("invalid_tracker_config", `notify.on names "${name}": use ${occasions.join(", ")}.`);
  });
  return {
    url: url.href,
    written,
    secretEnvName: reference(written),
    format: settings.choice("format", ["json", "slack"]),
    on: on ?? occasions,
  };
}
