export type { AccountPanelProps } from "./account-panel.tsx";
export { onPreferences, readPreferences, usePreferences, writePreferences } from "./preferences.ts";
export { SettingsDialog } from "./settings-dialog.tsx";
export { SidePanel, type SidePanelTab } from "./side-panel.tsx";
export { StatusDialog } from "./status-dialog.tsx";
export { TerminalDrawer } from "./terminal-drawer.tsx";
export { useLoaded } from "./use-loaded.ts";
