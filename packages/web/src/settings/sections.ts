import { settingsWords } from "../words/words.ts";

/** A part of the settings. */
export type SectionId = keyof typeof settingsWords.sections;

/** A section, with whose settings it has. */
export interface Section {
  readonly id: SectionId;
  readonly label: string;
  /** Its settings are those of one server, which is named beside them. */
  readonly ofServer: boolean;
}

const ofBrowser: ReadonlySet<SectionId> = new Set(["general", "keys", "devices"]);

/** All sections, in their order. */
export const sections: readonly Section[] = (Object.keys(settingsWords.sections) as SectionId[]).map((id) => ({
  id,
  label: settingsWords.sections[id],
  ofServer: !ofBrowser.has(id),
}));
