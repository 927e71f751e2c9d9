import { useState } from "react";
import {
  fontSizes,
  PanelSection,
  type Preferences,
  themes,
  usePreferences,
  writePreferences,
} from "../side-panel/index.ts";
import { Field, Kbd, Notice, Select, Switch } from "../ui/index.ts";
import { formWords, generalWords as words } from "../words/words.ts";

/** The settings of this browser. Every choice holds at once. */
export function GeneralSection({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const preferences = usePreferences();
  const [blocked, setBlocked] = useState<string | null>(null);

  const notify = async (wanted: boolean): Promise<void> => {
    setBlocked(null);
    if (!wanted) return writePreferences({ notifications: false });
    if (!("Notification" in globalThis)) {
      setBlocked(formWords.browserShowsNoNotificationsAddress);
      return;
    }
    const permission = await Notification.requestPermission();
    if (permission === "granted") writePreferences({ notifications: true });
    else setBlocked(formWords.browserBlocksNotificationsPageAllow);
  };
  return (
    <div className="side-settings">
      <PanelSection title={words.appearance}>
        <Field label={words.theme}>
          {(control) => (
            <Select
              {...control}
              value={preferences.theme}
              options={themes.map((value) => ({ value, label: words.themes[value] }))}
              onChange={(theme) => writePreferences({ theme: theme as Preferences["theme"] })}
            />
          )}
        </Field>
        <Field label={words.fontSize}>
          {(control) => (
            <Select
              {...control}
              value={preferences.fontSize}
              options={fontSizes.map((value) => ({ value, label: words.fontSizes[value] }))}
              onChange={(size) => writePreferences({ fontSize: size as Preferences["fontSize"] })}
            />
          )}
        </Field>
      </PanelSection>
      <PanelSection title={formWords.writing}>
        <Field label={formWords.send}>
          {(control) => (
            <Select
              {...control}
              value={preferences.sendKey}
              options={[
                { value: "enter", label: "Enter (Shift+Enter for a new line)" },
                { value: "modEnter", label: "Ctrl/Cmd+Enter (Enter for a new line)" },
              ]}
              onChange={(sendKey) => writePreferences({ sendKey: sendKey as Preferences["sendKey"] })}
            />
          )}
        </Field>
        <Field label={formWords.whileTurnRuns} hint={formWords.altEnterSwitches}>
          {(control) => (
            <Select
              {...control}
              value={preferences.followUp}
              options={[
                { value: "steer", label: formWords.steerNow },
                { value: "queue", label: formWords.queue },
              ]}
              onChange={(followUp) => writePreferences({ followUp: followUp as Preferences["followUp"] })}
            />
          )}
        </Field>
      </PanelSection>
      <PanelSection title={formWords.notifications}>
        <Switch
          label={formWords.notifyMe}
          hint={formWords.turnEndsNeedsAnswerWhile}
          checked={preferences.notifications}
          onChange={(wanted) => void notify(wanted)}
        />
        {blocked !== null && <Notice tone="warning">{blocked}</Notice>}
      </PanelSection>
      <PanelSection title={formWords.keyboard}>
        <button type="button" className="side-link" onClick={onShortcuts}>
          {formWords.showAllShortcuts} <Kbd keys="?" />
        </button>
      </PanelSection>
    </div>
  );
}
