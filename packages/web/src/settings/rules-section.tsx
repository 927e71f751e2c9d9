import { useCallback, useState } from "react";
import { PanelState, useLoaded } from "../side-panel/index.ts";
import { type HubView, useActions } from "../state/index.ts";
import { Button, Field, TextInput } from "../ui/index.ts";
import { formWords, settingsWords, extensionWords as words } from "../words/words.ts";
import { configPath, isMissing, readText, writeText } from "./home-files.ts";
import { RemoveButton } from "./remove-button.tsx";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

interface RuleFile {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

/** The files of rules in a server's home. */
export function RulesSection({ hub: { id } }: { readonly hub: HubView }) {
  const actions = useActions();
  const load = useCallback(async () => {
    const folder = (await configPath(actions, id)).replace(/[^/\\]+$/, "rules");
    const entries = await actions.request(id, "fs/readDirectory", { path: folder }).then(
      (listed) => listed.entries,
      (error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      },
    );
    const names = entries.filter(({ isFile, fileName }) => isFile && fileName.endsWith(".rules"));
    const files = names.map(async ({ fileName }): Promise<RuleFile> => {
      const path = `${folder}/${fileName}`;
      return { path, name: fileName, text: await readText(actions, id, path) };
    });
    return { folder, files: await Promise.all(files) };
  }, [actions, id]);
  const rules = useLoaded(load);
  const [name, setName] = useState("");
  const work = useWork();
  const { value } = rules;
  if (value === null) return <PanelState {...rules} failure={formWords.rulesCouldNotRead} onRetry={rules.reload} />;
  const run = (task: () => Promise<unknown>, done: string | null = settingsWords.saved): void =>
    void work.run(async () => {
      await task();
      rules.reload();
      return done;
    });
  const create = async (): Promise<void> => {
    if (!/^[A-Za-z0-9_-]+\.rules$/.test(name)) throw new Error(words.badRulesName);
    await actions.request(id, "fs/createDirectory", { path: value.folder, recursive: true });
    const path = `${value.folder}/${name}`;
    if (value.files.some((file) => file.name === name)) return;
    await writeText(actions, { hub: id, path }, "");
    setName("");
  };
  return (
    <div className="settings-section">
      <p className="side-note">{words.rulesIntro}</p>
      {value.files.map((file) => (
        <RuleEditor
          key={file.path}
          file={file}
          onSave={(text) => run(() => writeText(actions, { hub: id, path: file.path }, text))}
          onRemove={() => run(() => actions.request(id, "fs/remove", { path: file.path }), null)}
        />
      ))}
      <WorkNotice work={work} />
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          run(create, null);
        }}
      >
        <Field label={words.rulesName} hint={words.rulesHint}>
          {(control) => <TextInput {...control} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <div>
          <Button type="submit" disabled={name === ""}>
            {words.newRules}
          </Button>
        </div>
      </form>
    </div>
  );
}

interface RuleEditorProps {
  readonly file: RuleFile;
  readonly onSave: (text: string) => void;
  readonly onRemove: () => void;
}

function RuleEditor({ file, onSave, onRemove }: RuleEditorProps) {
  const [text, setText] = useState(file.text);
  return (
    <div className="settings-open">
      <textarea
        className="ui-input settings-lines"
        rows={6}
        aria-label={file.name}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="settings-row">
        <span className="settings-item-text side-note">{file.path}</span>
        <Button
          size="small"
          aria-label={`${settingsWords.save} ${file.name}`}
          disabled={text === file.text}
          onClick={() => onSave(text)}
        >
          {settingsWords.save}
        </Button>
        <RemoveButton
          label={`${settingsWords.remove} ${file.name}`}
          confirm={`${settingsWords.remove} ${file.name}?`}
          onRemove={onRemove}
        />
      </div>
    </div>
  );
}
