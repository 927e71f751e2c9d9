import { type ReactNode, useState } from "react";
import { usePreferences, writePreferences } from "../../src/beside/preferences.ts";
import { Composer } from "../../src/composer/index.ts";
import type { ThreadSettingsState } from "../../src/state/model.ts";
import { flag, noted } from "./calls.ts";
import { files, models, settings, skills } from "./data.ts";

function ComposerStory(): ReactNode {
  const [working, setWorking] = useState(flag("working"));
  const [current, setCurrent] = useState<ThreadSettingsState>(settings);
  const { sendKey, followUp } = usePreferences();
  return (
    <div className="story-column">
      <Composer
        draftKey="h1 t1"
        hasThread={!flag("new")}
        working={working}
        disabledReason={flag("offline") ? "The server is not connected. It is tried again in 4 s." : null}
        settings={current}
        models={
          flag("failing")
            ? { value: null, loading: false, error: "boom" }
            : { value: models, loading: false, error: null }
        }
        sendKey={sendKey}
        followUp={followUp}
        onFollowUp={(mode) => writePreferences({ followUp: mode })}
        onSend={noted("send", async (_input, overrides) => {
          if (flag("failing")) throw new Error("The model is overloaded: try again in a minute.");
          setCurrent({ ...current, ...(overrides.model !== undefined && { model: overrides.model }) });
        })}
        onSteer={noted("steer", async () => undefined)}
        onStop={noted("stop", async () => setWorking(false))}
        onCommand={noted("command", async () => undefined)}
        searchFiles={noted("searchFiles", async (query) => files.filter((file) => file.path.includes(query)))}
        listSkills={noted("listSkills", async () => skills)}
        autoFocus
      />
    </div>
  );
}

export const composerStories = { composer: ComposerStory };
