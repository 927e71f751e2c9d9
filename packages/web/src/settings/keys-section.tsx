import { type KeyboardEvent, useState } from "react";
import { keyEffects } from "../palette/index.ts";
import { defaultKeys, type KeyName, keysIn, keysOf, usePreferences, writePreferences } from "../side-panel/index.ts";
import { Button, Kbd, Notice } from "../ui/index.ts";
import { keyWords as words } from "../words/words.ts";

const names = Object.keys(defaultKeys) as KeyName[];

/** Keys that mean something else everywhere. */
const fixed: ReadonlySet<string> = new Set(["Alt+ArrowUp", "Alt+ArrowDown", "Alt+Enter", "Mod+F", "y", "a", "n"]);

/** The keys of the shortcuts, each of which can be changed. */
export function KeysSection() {
  const { keys: chosen } = usePreferences();
  const [asking, setAsking] = useState<KeyName | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const press = (event: KeyboardEvent, name: KeyName): void => {
    if (asking !== name) return;
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    const keys = keysIn(event.nativeEvent);
    const other = names.find((each) => each !== name && keysOf(each) === keys);
    if (event.key === "Escape") setAsking(null);
    else if (keys === undefined) return;
    else if (other !== undefined) setProblem(words.taken(keyEffects[other]));
    else if (fixed.has(keys)) setProblem(words.fixed);
    else {
      writePreferences({ keys: { ...chosen, [name]: keys } });
      setProblem(null);
      setAsking(null);
    }
  };
  return (
    <div className="settings-section">
      <ul className="settings-list">
        {names.map((name) => (
          <li key={name} className="settings-item">
            <span className="settings-item-text">{keyEffects[name]}</span>
            <button
              type="button"
              className="settings-key"
              aria-label={words.change(keyEffects[name])}
              aria-pressed={asking === name}
              onClick={() => {
                setProblem(null);
                setAsking(name);
              }}
              onBlur={() => setAsking(null)}
              onKeyDown={(event) => press(event, name)}
            >
              {asking === name ? words.press : <Kbd keys={keysOf(name)} />}
            </button>
          </li>
        ))}
      </ul>
      {problem !== null && <Notice tone="warning">{problem}</Notice>}
      <div>
        <Button size="small" disabled={Object.keys(chosen).length === 0} onClick={() => writePreferences({ keys: {} })}>
          {words.reset}
        </Button>
      </div>
    </div>
  );
}
