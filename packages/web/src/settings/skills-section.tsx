import { useCallback } from "react";
import { PanelState, useLoaded } from "../side-panel/index.ts";
import { type HubView, useActions } from "../state/index.ts";
import { Switch } from "../ui/index.ts";
import { formWords, extensionWords as words } from "../words/words.ts";
import { useWork } from "./use-work.ts";
import { WorkNotice } from "./work-notice.tsx";

interface InFolderProps {
  readonly hub: HubView;
  /** The folder of the thread in view: it may have some of its own. */
  readonly cwd: string | null;
}

/** The skills of a server and a folder, each of which can be switched off. */
export function SkillsSection({ hub: { id }, cwd }: InFolderProps) {
  const actions = useActions();
  const load = useCallback(
    async () =>
      (await actions.request(id, "skills/list", { cwds: cwd === null ? [] : [cwd], forceReload: true })).data.flatMap(
        ({ skills }) => skills,
      ),
    [actions, id, cwd],
  );
  const skills = useLoaded(load);
  const work = useWork();
  if (skills.value === null)
    return <PanelState {...skills} failure={formWords.skillsCouldNotListed} onRetry={skills.reload} />;
  const set = (path: string, enabled: boolean): void =>
    void work.run(async () => {
      await actions.request(id, "skills/config/write", { path, enabled });
      skills.reload();
      return null;
    });
  return (
    <div className="settings-section">
      {skills.value.length === 0 && <p className="side-note">{words.noSkills}</p>}
      <ul className="settings-list">
        {skills.value.map(({ name, path, description, shortDescription, enabled, scope }) => (
          <li key={path} title={path}>
            <Switch
              aria-label={words.enable(name)}
              label={name}
              hint={`${scope} · ${shortDescription ?? description}`}
              checked={enabled}
              onChange={(wanted) => set(path, wanted)}
            />
          </li>
        ))}
      </ul>
      <WorkNotice work={work} />
    </div>
  );
}
