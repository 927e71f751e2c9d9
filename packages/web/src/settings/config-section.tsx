import { useCallback, useEffect, useState } from "react";
import { PanelState, useLoaded } from "../side-panel/index.ts";
import { type HubView, messageOf, useActions } from "../state/index.ts";
import { Button } from "../ui/index.ts";
import { formWords, settingsWords, configWords as words } from "../words/words.ts";
import { configPath, isMissing, readText, writeText } from "./home-files.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

/** The whole of a server's `config.toml`, as text. What the server cannot read is taken back at once. */
export function ConfigSection({ hub: { id } }: { readonly hub: HubView }) {
  const actions = useActions();
  const load = useCallback(async () => {
    const path = await configPath(actions, id);
    const text = await readText(actions, id, path).catch((error: unknown) => {
      if (isMissing(error)) return "";
      throw error;
    });
    return { path, text };
  }, [actions, id]);
  const file = useLoaded(load);
  const [text, setText] = useState("");
  /** The file as it was read, or written here last. */
  const [base, setBase] = useState("");
  const work = useWork();
  const { value } = file;
  useEffect(() => {
    setText(value?.text ?? "");
    setBase(value?.text ?? "");
  }, [value]);
  if (value === null) return <PanelState {...file} failure={formWords.configTomlCouldNotRead} onRetry={file.reload} />;
  const { path } = value;
  const save = async (): Promise<string> => {
    const now = await readText(actions, id, path).catch(() => "");
    if (now !== base) throw new Error(words.changed);
    await writeText(actions, { hub: id, path }, text);
    try {
      await actions.request(id, "config/read", { includeLayers: false });
    } catch (error) {
      await writeText(actions, { hub: id, path }, now);
      throw new Error(words.refused(messageOf(error)));
    }
    setBase(text);
    actions.configChanged(id);
    return settingsWords.saved;
  };
  return (
    <div className="settings-section">
      <p className="side-note">{words.intro(path)}</p>
      <textarea
        className="ui-input settings-text"
        aria-label={words.label}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <WorkNotice work={work} />
      <div className="settings-row">
        <Button variant="primary" busy={work.busy} disabled={text === base} onClick={() => void work.run(() => save())}>
          {settingsWords.save}
        </Button>
        <Button variant="ghost" onClick={file.reload}>
          {settingsWords.refresh}
        </Button>
      </div>
    </div>
  );
}
