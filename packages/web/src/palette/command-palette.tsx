import { Search } from "lucide-react";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { Dialog, Kbd } from "../ui/index.ts";
import { paletteWords } from "../words/words.ts";
import "./palette.css";
import { type PaletteEntry, type RankedEntry, rankEntries } from "./palette-entries.ts";

interface CommandPaletteProps {
  readonly entries: readonly PaletteEntry[];
  readonly onClose: () => void;
}

/** Finds threads and actions by a few letters. Arrow keys choose, Enter does it. */
export function CommandPalette({ entries, onClose }: CommandPaletteProps) {
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => rankEntries(entries, typed), [entries, typed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option must stay in view whenever it changes
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active, found]);

  const choose = (ranked: RankedEntry | undefined): void => {
    if (ranked === undefined) return;
    onClose();
    ranked.entry.onSelect();
  };
  const keyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const { length } = found;
    if (event.key === "ArrowDown") setActive(length === 0 ? 0 : (active + 1) % length);
    else if (event.key === "ArrowUp") setActive(length === 0 ? 0 : (active + length - 1) % length);
    else if (event.key === "Home" && typed === "") setActive(0);
    else if (event.key === "End" && typed === "") setActive(Math.max(0, length - 1));
    else if (event.key === "Enter") choose(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={paletteWords.commandPalette} bare className="palette" onClose={onClose}>
      <div className="palette-search">
        <Search size={16} aria-hidden="true" />
        <input
          autoFocus
          className="palette-input"
          role="combobox"
          aria-label={paletteWords.searchThreadsActions}
          aria-expanded="true"
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${listId}-${active}` : undefined}
          placeholder={paletteWords.searchThreadsActions}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setActive(0);
          }}
          onKeyDown={keyDown}
        />
        <Kbd keys="Escape" />
      </div>
      <div ref={list} id={listId} role="listbox" aria-label={paletteWords.results} className="palette-list">
        {found.map((ranked, index) => (
          <PaletteOption
            key={ranked.entry.id}
            id={`${listId}-${index}`}
            ranked={ranked}
            heading={ranked.entry.group !== found[index - 1]?.entry.group && typed === "" ? ranked.entry.group : null}
            selected={index === active}
            onActivate={() => setActive(index)}
            onChoose={() => choose(ranked)}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p className="palette-empty" role="status">
          {paletteWords.nothingMatches}
          {typed}
          {paletteWords.tryFewerLettersSidebarSearches}
        </p>
      )}
    </Dialog>
  );
}

interface PaletteOptionProps {
  readonly id: string;
  readonly ranked: RankedEntry;
  readonly heading: string | null;
  readonly selected: boolean;
  readonly onActivate: () => void;
  readonly onChoose: () => void;
}

function PaletteOption({ id, ranked, heading, selected, onActivate, onChoose }: PaletteOptionProps) {
  const { entry, at } = ranked;
  return (
    <>
      {heading !== null && (
        <div className="palette-heading" aria-hidden="true">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input */}
      <div
        id={id}
        role="option"
        aria-selected={selected}
        className="palette-option"
        onPointerMove={onActivate}
        onPointerDown={(event) => event.preventDefault()}
        onClick={onChoose}
      >
        <span className="palette-icon" aria-hidden="true">
          {entry.icon}
        </span>
        <span className="palette-label">{marked(entry.label, at)}</span>
        {entry.detail !== undefined && <span className="palette-detail">{entry.detail}</span>}
        {entry.shortcut !== undefined && <Kbd keys={entry.shortcut} />}
      </div>
    </>
  );
}

/** The text with the letters that matched marked, those in a row together. */
function marked(text: string, at: readonly number[]): ReactNode {
  if (at.length === 0) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (let index = 0; index < at.length; index++) {
    const start = at[index] ?? 0;
    let end = start + 1;
    while (at[index + 1] === end) {
      end++;
      index++;
    }
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return [...parts, text.slice(from)];
}
