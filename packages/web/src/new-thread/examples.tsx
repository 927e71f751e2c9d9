import type { ReactNode } from "react";
import { Button } from "../ui/index.ts";
import { modelWords } from "../words/words.ts";

/** The model that is built in: it needs no key and no network, and answers by fixed rules. */
export const offlineModel = "quire-offline";

const examples: readonly { readonly label: string; readonly text: string }[] = [
  { label: "What can you do?", text: "help" },
  { label: "Run a command", text: "run: ls -la" },
  { label: "Write a file", text: "write: hello.txt\nHello from Quire" },
  { label: "Make a plan", text: "plan: read the code; change it; test it" },
];

interface ExamplesProps {
  readonly onChoose: (text: string) => void;
  /** Shows where a real model is connected. */
  readonly onConnect: () => void;
}

/** Prompts for the offline model, for a newcomer without a key. */
export function Examples({ onChoose, onConnect }: ExamplesProps): ReactNode {
  return (
    <section className="app-examples" aria-label="Examples">
      <p className="app-new-hint">
        No model is set up, so the built-in offline model answers, by fixed rules and without a network. Try it:
      </p>
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
