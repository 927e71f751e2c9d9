import { useCallback, useRef } from "react";
import type { Skill } from "../state/model.ts";

/** The skills of a folder, listed when they are first asked for. */
export interface SkillList {
  readonly load: () => Promise<readonly Skill[]>;
  /** The skills for a text: none is listed where it names none, and a failure must not keep a message back. */
  readonly named: (text: string) => Promise<readonly Skill[]>;
}

/** Keeps the list of skills for as long as the folder stays the same. */
export function useSkills(list: () => Promise<readonly Skill[]>, folder: string): SkillList {
  const cache = useRef<{ readonly folder: string; readonly skills: Promise<readonly Skill[]> } | undefined>(undefined);
  const latest = useRef(list);
  latest.current = list;
  const load = useCallback(() => {
    if (cache.current?.folder !== folder) {
      const skills = latest.current();
      cache.current = { folder, skills };
      // A failure is not kept: the next time may go well.
      skills.catch(() => {
        cache.current = undefined;
      });
    }
    return cache.current.skills;
  }, [folder]);
  const named = useCallback(
    (text: string) => (/(?:^|\s)\$\w/.test(text) ? load().catch(() => []) : Promise.resolve([])),
    [load],
  );
  return { load, named };
}
