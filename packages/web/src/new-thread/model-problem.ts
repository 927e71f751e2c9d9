import type { ThreadSettingsState } from "@quire/client/view";
import type { HubView } from "../state/index.ts";
import { newThreadWords } from "../words/words.ts";
import { offlineModel } from "./examples.tsx";

/** Id of the provider of the built-in model. */
const offlineProvider = "offline";

/** Says why a model cannot run with these settings; null for one that can. */
export function modelProblem(
  hub: HubView,
  { modelProvider }: Pick<ThreadSettingsState, "modelProvider">,
): (model: string) => string | null {
  const isOffline = hub.models.value?.find(({ isDefault }) => isDefault)?.model === offlineModel;
  const account = hub.account.value;
  const isSignedOut = account?.requiresOpenaiAuth === true && account.account === null;
  return (model) => {
    if (model === offlineModel) return null;
    if (isSignedOut || isOffline) return newThreadWords.signFirst;
    return modelProvider === offlineProvider ? newThreadWords.threadWorksOfflineStartNew : null;
  };
}
