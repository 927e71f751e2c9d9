import { itemWords } from "../words/words.ts";
import { CodeLine } from "./code/code-line.tsx";
import { useHighlighted } from "./code/use-highlighted.ts";
import { WindowedLines } from "./windowed-lines.tsx";

/** Lines of a script that are in sight at once. */
const visibleLines = 12;

/** A command as one would type it. */
export function CommandText({ command }: { readonly command: string }) {
  const highlighted = useHighlighted(command, { language: "shellscript", complete: true });
  const lines = command.split("\n");
  return (
    <WindowedLines
      label={itemWords.command}
      className="items-command"
      count={lines.length}
      visible={visibleLines}
      renderLine={(index) => (
        <div key={index} className="code-line">
          <span className="items-prompt" aria-hidden="true" data-prompt={index === 0 ? "$ " : "  "} />
          <CodeLine text={lines[index] ?? ""} tokens={highlighted[index]} />
        </div>
      )}
    />
  );
}
