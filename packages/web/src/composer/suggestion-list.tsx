import { File, Folder, SquareSlash, WandSparkles } from "lucide-react";
import { useEffect, useRef } from "react";
import { Spinner } from "../ui/index.ts";
import { composeWords } from "../words/words.ts";
import type { Suggestion, Suggestions } from "./suggestions.ts";
import type { Trigger, TriggerKind } from "./trigger.ts";

const icons = { file: File, directory: Folder, skill: WandSparkles, command: SquareSlash };

const words: Readonly<Record<TriggerKind, { readonly title: string; readonly empty: string }>> = {
  file: { title: composeWords.files, empty: composeWords.noFileSuchName },
  skill: { title: composeWords.skills, empty: composeWords.noSuchSkillSkillsLive },
  command: { title: composeWords.commands, empty: composeWords.noSuchCommand },
};

interface SuggestionListProps {
  readonly id: string;
  readonly trigger: Trigger;
  readonly found: Suggestions;
  readonly active: number;
  readonly onActivate: (index: number) => void;
  readonly onChoose: (suggestion: Suggestion) => void;
}

/** The list above the textbox. The focus stays in the text, which names the active option. */
export function SuggestionList({ id, trigger, found, active, onActivate, onChoose }: SuggestionListProps) {
  const { kind, query } = trigger;
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active option must stay in view whenever it changes
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const { items, loading, error } = found;
  return (
    <div className="composer-suggestions">
      <div className="composer-suggestions-title">
        {words[kind].title}
        {loading && <Spinner />}
      </div>
      <div ref={list} id={id} role="listbox" aria-label={words[kind].title} className="composer-suggestions-list">
        {items.map((item, index) => {
          const Icon = icons[item.kind];
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the textbox has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the textbox
            <div
              key={item.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className="composer-suggestion"
              onPointerMove={() => onActivate(index)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(item)}
            >
              <Icon size={16} aria-hidden="true" />
              <span className="composer-suggestion-label">{item.label}</span>
              <span className="composer-suggestion-detail">{item.detail}</span>
            </div>
          );
        })}
      </div>
      {items.length === 0 && !loading && (
        <div className="composer-suggestions-empty" role="status">
          {error ?? (kind === "file" && query === "" ? composeWords.typePartFilesName : words[kind].empty)}
        </div>
      )}
    </div>
  );
}
