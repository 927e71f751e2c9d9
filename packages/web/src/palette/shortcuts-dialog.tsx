import { Dialog, Kbd } from "../ui/index.ts";
import { paletteWords } from "../words/words.ts";
import "./palette.css";
import { shortcutGroups } from "./shortcuts.ts";

/** The overview of all shortcuts. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={paletteWords.keyboardShortcuts} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="palette-shortcuts" tabIndex={0}>
        {shortcutGroups().map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.shortcuts.map((shortcut) => (
                <div key={shortcut.keys}>
                  <dt>{shortcut.does}</dt>
                  <dd>
                    <Kbd keys={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
