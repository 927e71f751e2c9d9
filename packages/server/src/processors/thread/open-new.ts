import { hasOwnModels } from "../../model/dialect/knows-dialect.ts";
import type { Core } from "../../thread/core.ts";
import { openSettings } from "../../thread/open-settings.ts";
import type { SettingsParams } from "../../thread/settings-params.ts";

type Opened = ReturnType<typeof openSettings>;

/**
 * Settings for a new thread. A provider with models of its own that was never asked for them is asked before, once: its
 * windows and prices count from the first thread on, also for clients that list no models.
 */
export function openNew(core: Core, params: SettingsParams): Opened | Promise<Opened> {
  const opened = openSettings(core, params);
  const { provider } = opened.config;
  if (!hasOwnModels(provider)) return opened;
  return import("../provider-models.ts").then(async ({ learnModels }) => {
    const learned = learnModels(core.server, provider);
    if (learned === undefined) return opened;
    await learned;
    return openSettings(core, params);
  });
}
