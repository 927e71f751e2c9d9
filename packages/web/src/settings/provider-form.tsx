import { type ComponentProps, type FormEvent, useId, useState } from "react";
import { useActions } from "../state/index.ts";
import { Button, Field, Notice, Select, TextInput } from "../ui/index.ts";
import { settingsWords, modelWords as words } from "../words/words.ts";
import { movedFrom, type ProviderDraft, problemOf } from "./provider-draft.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

interface ProviderFormProps {
  readonly initial: ProviderDraft;
  readonly isNew: boolean;
  /** Ids that others have. */
  readonly taken: ReadonlySet<string>;
  /** True for a server that speaks other APIs than Responses, and knows dialects. */
  readonly isQuire: boolean;
  readonly storedKey: string;
  readonly onSave: (draft: ProviderDraft) => Promise<string | null>;
  readonly onCancel: () => void;
}

/** A provider of models: address, key, headers, API and the model to use. The key is checked before it is stored. */
export function ProviderForm({ initial, isNew, taken, isQuire, storedKey, onSave, onCancel }: ProviderFormProps) {
  const actions = useActions();
  const [draft, setDraft] = useState(initial);
  const [models, setModels] = useState<readonly string[]>([]);
  const work = useWork();
  const list = useId();
  const set = (change: Partial<ProviderDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const check = async (): Promise<string> => {
    const problem = problemOf(draft, taken);
    if (problem !== null) throw new Error(problem);
    const answer = await actions.checkProvider(draft.key.trim() || (movedFrom(initial, draft) ? "" : storedKey), {
      baseUrl: draft.baseUrl.trim(),
      wireApi: draft.wireApi,
    });
    if (answer.verdict !== "good") {
      if (answer.verdict === "refused") throw new Error(words.refused(answer.reason));
      return words.unknown(answer.reason);
    }
    setModels(answer.models);
    const [first] = answer.models;
    if (draft.model === "" && first !== undefined) set({ model: first });
    return words.found(answer.models.length);
  };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void work.run(async () => {
      await check();
      return onSave(draft);
    });
  };
  return (
    <form className="settings-form" onSubmit={save}>
      {isNew && (
        <Field label={words.id} hint={words.idHint} required>
          {(control) => <Text {...control} value={draft.id} onText={(id) => set({ id })} />}
        </Field>
      )}
      <Field label={words.name}>
        {(control) => <Text {...control} value={draft.name} onText={(name) => set({ name })} />}
      </Field>
      <Field label={words.url} hint={words.urlHint} required>
        {(control) => <Text {...control} value={draft.baseUrl} onText={(baseUrl) => set({ baseUrl })} />}
      </Field>
      <Field label={words.key} hint={storedKey === "" ? words.keyHint : words.keepKey}>
        {(control) => (
          <Text {...control} type="password" autoComplete="off" value={draft.key} onText={(key) => set({ key })} />
        )}
      </Field>
      <Field label={words.api} hint={isQuire ? undefined : words.onlyQuire}>
        {(control) => (
          <Select
            {...control}
            disabled={!isQuire}
            value={draft.wireApi}
            options={Object.entries(words.apis).map(([value, label]) => ({ value, label }))}
            onChange={(wireApi) => set({ wireApi })}
          />
        )}
      </Field>
      {isQuire && draft.wireApi === "responses" && (
        <Field label={words.dialect}>
          {(control) => (
            <Select
              {...control}
              value={draft.dialect}
              options={Object.entries(words.dialects).map(([value, label]) => ({ value, label }))}
              onChange={(dialect) => set({ dialect })}
            />
          )}
        </Field>
      )}
      <details className="settings-more">
        <summary>{words.headers}</summary>
        <Field label={words.headers} hint={words.headersHint}>
          {(control) => (
            <textarea
              {...control}
              className="ui-input settings-lines"
              rows={3}
              spellCheck={false}
              value={draft.headers}
              onChange={(event) => set({ headers: event.target.value })}
            />
          )}
        </Field>
        <Field label={words.envKey}>
          {(control) => <Text {...control} value={draft.envKey} onText={(envKey) => set({ envKey })} />}
        </Field>
      </details>
      <Field label={words.model} hint={words.modelHint}>
        {(control) => <Text {...control} list={list} value={draft.model} onText={(model) => set({ model })} />}
      </Field>
      <datalist id={list}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      <WorkNotice work={work} />
      {models.length > 0 && work.error === null && work.done === null && (
        <Notice tone="success">{words.found(models.length)}</Notice>
      )}
      <div className="settings-row">
        <Button type="submit" variant="primary" busy={work.busy}>
          {settingsWords.save}
        </Button>
        <Button busy={work.busy} onClick={() => void work.run(check)}>
          {words.list}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {settingsWords.cancel}
        </Button>
      </div>
    </form>
  );
}

interface TextProps extends Omit<ComponentProps<"input">, "onChange"> {
  readonly onText: (text: string) => void;
}

function Text({ onText, ...props }: TextProps) {
  return <TextInput spellCheck={false} {...props} onChange={(event) => onText(event.target.value)} />;
}
