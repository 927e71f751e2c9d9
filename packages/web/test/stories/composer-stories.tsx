import type { ThreadSettingsState, TurnState } from "@quire/client/view";
import type { UserInput } from "@quire/protocol";
import { type ReactNode, useMemo, useState } from "react";
import { Composer, useQueueRunner } from "../../src/composer/index.ts";
import { usePreferences, writePreferences } from "../../src/side-panel/preferences.ts";
import type { ThreadState } from "../../src/state/model.ts";
import { Button } from "../../src/ui/index.ts";
import { flag, noted } from "./calls.ts";
import { files, models, modes, settings, skills, thread } from "./data.ts";

function ComposerStory({ draftKey = "h1 t1" }: { readonly draftKey?: string }): ReactNode {
  const [working, setWorking] = useState(flag("working"));
  const [current, setCurrent] = useState<ThreadSettingsState>(settings);
  const { sendKey, followUp } = usePreferences();
  return (
    <div className="story-column">
      <Composer
        draftKey={draftKey}
        hasThread={!flag("new")}
        working={working}
        disabledReason={flag("offline") ? "The server is not connected. It is tried again in 4 s." : null}
        settings={current}
        models={
          flag("failing")
            ? { value: null, loading: false, error: "boom" }
            : { value: models, loading: false, error: null }
        }
        modes={flag("modes") ? modes : []}
        sendKey={sendKey}
        followUp={followUp}
        onFollowUp={(mode) => writePreferences({ followUp: mode })}
        onSend={noted("send", async (_input, overrides) => {
          if (flag("failing")) throw new Error("The model is overloaded: try again in a minute.");
          const { model = current.model, mode = current.mode } = overrides;
          setCurrent({ ...current, model, mode });
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

/** A composer for each of many drafts. */
function DraftsStory(): ReactNode {
  const [draft, setDraft] = useState("0");
  return (
    <>
      <input type="number" aria-label="Draft" value={draft} onChange={(event) => setDraft(event.target.value)} />
      <ComposerStory key={draft} draftKey={`draft ${draft}`} />
    </>
  );
}

const idle = async (): Promise<void> => undefined;

/** A thread whose turn ends by a button, with the runner that sends what was queued meanwhile. */
function QueueStory(): ReactNode {
  const [status, setStatus] = useState<TurnState["status"]>("inProgress");
  const [loading, setLoading] = useState(flag("loading"));
  const working = status === "inProgress" && !loading;
  const open = useMemo(() => {
    const turns = loading ? [] : thread.turns.map((turn) => ({ ...turn, status }));
    const summary = { ...thread.summary, status: working ? ("working" as const) : ("idle" as const) };
    const state: ThreadState = { ...thread, loading, summary, turns, activeTurn: working ? "turn-1" : null };
    return new Map([["h1 t1", state]]);
  }, [status, loading, working]);
  const send = useMemo(
    () =>
      noted("queued", async (_key: unknown, input: readonly UserInput[]) => {
        if (JSON.stringify(input).includes("refuse")) throw new Error("The model is gone.");
        setStatus("inProgress");
      }),
    [],
  );
  useQueueRunner(open, send);
  return (
    <div className="story-column">
      <Button onClick={() => setStatus("completed")}>End the turn</Button>
      {loading && <Button onClick={() => setLoading(false)}>Load the thread</Button>}
      <Composer
        draftKey="h1 t1"
        hasThread
        working={working}
        disabledReason={null}
        settings={settings}
        models={{ value: models, loading: false, error: null }}
        modes={[]}
        sendKey="enter"
        followUp="queue"
        onFollowUp={() => undefined}
        onSend={noted("send", async () => setStatus("inProgress"))}
        onSteer={idle}
        onStop={async () => setStatus("interrupted")}
        onCommand={idle}
        searchFiles={async () => []}
        listSkills={async () => []}
      />
    </div>
  );
}

export const composerStories = { composer: () => <ComposerStory />, drafts: DraftsStory, queue: QueueStory };
