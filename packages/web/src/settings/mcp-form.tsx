import { useState } from "react";
import { Button, Field, Segmented, TextInput } from "../ui/index.ts";
import { settingsWords, mcpWords as words } from "../words/words.ts";
import { emptyMcp, type McpDraft, mcpTable } from "./mcp-draft.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

interface McpFormProps {
  readonly taken: readonly string[];
  readonly onAdd: (name: string, table: Readonly<Record<string, unknown>>) => Promise<string | null>;
  readonly onCancel: () => void;
}

/** A new MCP server: a command to start, or an address. */
export function McpForm({ taken, onAdd, onCancel }: McpFormProps) {
  const [draft, setDraft] = useState(emptyMcp);
  const work = useWork();
  const set = (change: Partial<McpDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const text = (label: string, name: "name" | "command" | "url" | "tokenVariable", hint?: string) => (
    <Field label={label} hint={hint}>
      {(control) => (
        <TextInput
          {...control}
          spellCheck={false}
          autoComplete="off"
          value={draft[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  );
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(async () => onAdd(draft.name, mcpTable(draft, taken)));
      }}
    >
      {text(words.name, "name", words.nameHint)}
      <Segmented
        label={words.kind}
        value={draft.kind}
        options={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
        onChange={(kind) => set({ kind: kind as McpDraft["kind"] })}
      />
      {draft.kind === "url" ? (
        <>
          {text(words.url, "url")}
          {text(words.tokenVariable, "tokenVariable")}
        </>
      ) : (
        <>
          {text(words.command, "command", words.commandHint)}
          <Field label={words.environment} hint={words.environmentHint}>
            {(control) => (
              <textarea
                {...control}
                className="ui-input settings-lines"
                rows={2}
                spellCheck={false}
                value={draft.environment}
                onChange={(event) => set({ environment: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
      <WorkNotice work={work} />
      <div className="settings-row">
        <Button type="submit" variant="primary" busy={work.busy}>
          {settingsWords.add}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {settingsWords.cancel}
        </Button>
      </div>
    </form>
  );
}
