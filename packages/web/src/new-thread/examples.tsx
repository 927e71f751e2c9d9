import type { ReactNode } from "react";
import { Button } from "../ui/index.ts";
import { modelWords, newThreadWords } from "../words/words.ts";

/** The model that is built in: it needs no key and no network, and answers by fixed rules. */
export const offlineModel = "quire-offline";

const examples: readonly { readonly label: string; readonly text: string }[] = [
  { label: newThreadWords.canDo, text: "help" },
  { label: newThreadWords.runCommand, text: "run: ls -la" },
  { label: newThreadWords.writeFile, text: "write: hello.txt\nHello from Quire" },
  { label: newThreadWords.makePlan, text: "plan: read the code; change it; test it" },
];

interface ExamplesProps {
  readonly onChoose: (text: string) => void;
  /** Shows where a real model is connected. */
  readonly onConnect: () => void;
}

/** Prompts for the offline model, for a newcomer without a key. */
export function Examples({ onChoose, onConnect }: ExamplesProps): ReactNode {
  return (
    <section className="app-examples" aria-label={newThreadWords.examples}>
      <p className="app-new-hint">{newThreadWords.noModelSetUpBuilt}</p>
      <div className="app-examples-row">
        <Button size="small" variant="primary" onClick={onConnect}>
          {modelWords.connect}
        </Button>
        {examples.map(({ label, text }) => (
          <Button key={label} size="small" onClick={() => onChoose(text)}>
            {label}
          </Button>
        ))}
      </div>
    </section>
  );
}
