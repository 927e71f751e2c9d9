import { useState } from "react";
import { Button, Field, TextInput } from "../ui/index.ts";
import { panelWords } from "../words/words.ts";

interface ApiKeyFormProps {
  readonly busy: boolean;
  readonly onSubmit: (apiKey: string) => void;
}

/** Takes a key. It is handed to the server and not kept in the page. */
export function ApiKeyForm({ busy, onSubmit }: ApiKeyFormProps) {
  const [key, setKey] = useState("");
  return (
    <form
      className="side-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(key.trim());
        setKey("");
      }}
    >
      <Field label={panelWords.apiKey} hint={panelWords.checkedProviderStoredServerOnly}>
        {(control) => (
          <TextInput
            {...control}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="sk-…"
            value={key}
            onChange={(event) => setKey(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" disabled={key.trim() === ""} busy={busy}>
          {panelWords.toUseKey}
        </Button>
      </div>
    </form>
  );
}
