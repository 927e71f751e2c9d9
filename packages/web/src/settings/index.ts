export type { SectionId } from "./sections.ts";
export { SettingsDialog } from "./settings-dialog.tsx";
