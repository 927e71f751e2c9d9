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
import { generalWords as words } from "../words/words.ts";

/** The settings of this browser. Every choice holds at once. */
export function GeneralSection({ onShortcuts }: { readonly onShortcuts: () => void }) {
  const preferences = usePreferences();
  const [blocked, setBlocked] = useState<string | null>(null);

  const notify = async (wanted: boolean): Promise<void> => {
    setBlocked(null);
    if (!wanted) return writePreferences({ notifications: false });
    if (!("Notification" in globalThis)) {
      setBlocked("This browser shows no notifications on this address: open the page over https or on localhost.");
      return;
    }
    const permission = await Notification.requestPermission();
    if (permission === "granted") writePreferences({ notifications: true });
    else setBlocked("The browser blocks notifications of this page: allow them beside its address, then try again.");
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
      <PanelSection title="Writing">
        <Field label="Send with">
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
        <Field label="While a turn runs" hint="Alt+Enter switches.">
          {(control) => (
            <Select
              {...control}
              value={preferences.followUp}
              options={[
                { value: "steer", label: "Steer now" },
                { value: "queue", label: "Queue" },
              ]}
              onChange={(followUp) => writePreferences({ followUp: followUp as Preferences["followUp"] })}
            />
          )}
        </Field>
      </PanelSection>
      <PanelSection title="Notifications">
        <Switch
          label="Notify me"
          hint="When a turn ends or needs an answer while this tab is in the background."
          checked={preferences.notifications}
          onChange={(wanted) => void notify(wanted)}
        />
        {blocked !== null && <Notice tone="warning">{blocked}</Notice>}
      </PanelSection>
      <PanelSection title="Keyboard">
        <button type="button" className="side-link" onClick={onShortcuts}>
          Show all shortcuts <Kbd keys="?" />
        </button>
      </PanelSection>
    </div>
  );
}
