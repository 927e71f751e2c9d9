import type { ModelProviderSummary } from "@quire/protocol";
import { useCallback, useState } from "react";
import { AccountPanel, PanelSection, PanelState, useLoaded } from "../side-panel/index.ts";
import { type HubView, messageOf, useActions } from "../state/index.ts";
import { Badge, Button, Select, Spinner } from "../ui/index.ts";
import { formWords, settingsWords, modelWords as words } from "../words/words.ts";
import { type FoundServer, findLocalServers, localSettings } from "./local-servers.ts";
import { PricesSection } from "./prices-section.tsx";
import { draftOf, type ProviderDraft, tableOf } from "./provider-draft.ts";
import { ProviderForm } from "./provider-form.tsx";
import { type HubConfig, useConfig } from "./use-config.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

/** The account, the models on this machine and the providers of a server. */
export function ModelsSection({ hub }: { readonly hub: HubView }) {
  const actions = useActions();
  const { id } = hub;
  const config = useConfig(hub);
  const showError = (error: unknown): void => actions.toast("error", messageOf(error));
  return (
    <div className="settings-section">
      <AccountPanel
        hubName={hub.name}
        account={hub.account}
        onReload={() => void actions.readAccount(id).catch(showError)}
        onLogin={(params) => actions.login(id, params)}
        onCheckKey={(key) => actions.checkKey(id, key)}
        onCancelLogin={async (loginId) => {
          await actions.request(id, "account/login/cancel", { loginId });
        }}
        onLogout={() => actions.logout(id)}
      />
      <LocalModels config={config} />
      <Providers hub={hub} config={config} />
      <PricesSection models={(hub.models.value ?? []).map(({ model }) => model)} />
    </div>
  );
}

/** Servers of local models that answer, each with a model to choose. */
function LocalModels({ config }: { readonly config: HubConfig }) {
  const actions = useActions();
  const load = useCallback(() => findLocalServers(actions), [actions]);
  const found = useLoaded(load);
  const work = useWork();
  return (
    <PanelSection title={words.onThisMachine}>
      {found.loading && <Spinner label={words.onThisMachine} />}
      {found.value?.length === 0 && <p className="side-note">{words.none}</p>}
      <ul className="settings-list">
        {found.value?.map((server) => (
          <LocalRow
            key={server.id}
            server={server}
            busy={work.busy}
            onUse={(model) => void work.run(() => config.write(localSettings(server, model)))}
          />
        ))}
      </ul>
      <WorkNotice work={work} />
      <div>
        <Button size="small" variant="ghost" onClick={found.reload}>
          {settingsWords.refresh}
        </Button>
      </div>
    </PanelSection>
  );
}

interface LocalRowProps {
  readonly server: FoundServer;
  readonly busy: boolean;
  readonly onUse: (model: string) => void;
}

function LocalRow({ server: { name, baseUrl, models }, busy, onUse }: LocalRowProps) {
  const [model, setModel] = useState(models[0] ?? "");
  return (
    <li className="settings-item">
      <span className="settings-item-text">
        <span>{name}</span>
        <span className="side-note">{baseUrl}</span>
      </span>
      {models.length === 0 ? (
        <span className="side-note">{words.noModels}</span>
      ) : (
        <>
          <Select
            aria-label={`${words.model}: ${name}`}
            value={model}
            options={models.map((each) => ({ value: each, label: each }))}
            onChange={setModel}
          />
          <Button size="small" busy={busy} aria-label={words.runModel(model, name)} onClick={() => onUse(model)}>
            {words.use}
          </Button>
        </>
      )}
    </li>
  );
}

interface ProvidersProps {
  readonly hub: HubView;
  readonly config: HubConfig;
}

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function Providers({ hub, config }: ProvidersProps) {
  const actions = useActions();
  const { id, configRevision } = hub;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision says that there is something new
  const load = useCallback(() => actions.request(id, "modelProvider/list", {}), [actions, id, configRevision]);
  const listed = useLoaded(load);
  const [editing, setEditing] = useState<string | null>(null);
  const work = useWork();
  if (listed.value === null) {
    return (
      <PanelSection title={words.providers}>
        <PanelState {...listed} failure={formWords.providersCouldNotListed} onRetry={listed.reload} />
      </PanelSection>
    );
  }
  const { data, defaultProviderId } = listed.value;
  const tables = (config.value?.model_providers ?? {}) as Tables;
  const isQuire = data.some((row) => row.id === "offline") || hub.kind === "embedded";
  const save = async (draft: ProviderDraft): Promise<string | null> => {
    const table = tableOf(draft, tables[draft.id] ?? {});
    const model = draft.model.trim();
    const said = await config.write({
      [`model_providers.${draft.id}`]: table,
      ...(model !== "" && { model_provider: draft.id, model }),
    });
    setEditing(null);
    return said;
  };
  const form = (initial: ProviderDraft, isNew: boolean) => (
    <ProviderForm
      initial={initial}
      isNew={isNew}
      taken={new Set(isNew ? data.map((row) => row.id) : [])}
      isQuire={isQuire}
      storedKey={String(tables[initial.id]?.experimental_bearer_token ?? "")}
      onSave={save}
      onCancel={() => setEditing(null)}
    />
  );
  return (
    <PanelSection title={words.providers}>
      <ul className="settings-list">
        {data.map((row) => (
          <li key={row.id} className={editing === row.id ? "settings-open" : undefined}>
            <ProviderRow
              row={row}
              isDefault={row.id === defaultProviderId}
              onUse={() => void work.run(() => config.write({ model_provider: row.id }))}
              onEdit={() => setEditing(row.id)}
              onRemove={() => void work.run(() => config.write({ [`model_providers.${row.id}`]: null }))}
            />
            {editing === row.id &&
              form(
                draftOf(row.id, tables[row.id] ?? {}, row.id === defaultProviderId ? (config.value?.model ?? "") : ""),
                false,
              )}
          </li>
        ))}
      </ul>
      <WorkNotice work={work} />
      {editing === "" ? (
        form(draftOf("", {}, ""), true)
      ) : (
        <div>
          <Button onClick={() => setEditing("")}>{words.addProvider}</Button>
        </div>
      )}
    </PanelSection>
  );
}

interface ProviderRowProps {
  readonly row: ModelProviderSummary;
  readonly isDefault: boolean;
  readonly onUse: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function ProviderRow({ row: { id, name, baseUrl, canEdit, settings }, isDefault, ...act }: ProviderRowProps) {
  const [asked, setAsked] = useState(false);
  const isSetUp = settings.type !== "customGateway" || !canEdit || baseUrl !== null;
  const auth = settings.type === "customGateway" && "envKey" in settings.auth ? settings.auth.envKey : null;
  return (
    <div className="settings-item">
      <span className="settings-item-text">
        <span>{name}</span>
        <span className="side-note">
          {isSetUp ? [baseUrl, auth && words.noKeyIn(auth)].filter(Boolean).join(" · ") || id : words.cannotRun(name)}
        </span>
      </span>
      {isDefault ? (
        <Badge tone="success">{words.inUse}</Badge>
      ) : (
        <Button size="small" aria-label={`${words.use} ${name}`} disabled={!isSetUp} onClick={act.onUse}>
          {words.use}
        </Button>
      )}
      {canEdit && (
        <Button size="small" variant="ghost" aria-label={`${settingsWords.edit} ${name}`} onClick={act.onEdit}>
          {settingsWords.edit}
        </Button>
      )}
      {canEdit && !isDefault && (
        <Button
          size="small"
          variant={asked ? "danger" : "ghost"}
          aria-label={asked ? words.confirmRemove(name) : `${settingsWords.remove} ${name}`}
          onClick={() => (asked ? act.onRemove() : setAsked(true))}
          onBlur={() => setAsked(false)}
        >
          {asked ? words.confirmRemove(name) : settingsWords.remove}
        </Button>
      )}
    </div>
  );
}
