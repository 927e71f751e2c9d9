export { AccountPanel, type AccountPanelProps } from "./account-panel.tsx";
export { BesidePanel, type BesidePanelProps, type BesideTab } from "./beside-panel.tsx";
export { ChangesPanel } from "./changes-panel.tsx";
export { McpPanel, type McpPanelProps } from "./mcp-panel.tsx";
export { PlanPanel } from "./plan-panel.tsx";
export {
  onPreferences,
  type Preferences,
  readPreferences,
  usePreferences,
  writePreferences,
} from "./preferences.ts";
export { SettingsDialog, type SettingsDialogProps } from "./settings-dialog.tsx";
export { StatusDialog, type StatusDialogProps } from "./status-dialog.tsx";
export { TerminalDrawer, type TerminalDrawerProps } from "./terminal-drawer.tsx";
export { UsagePanel, type UsagePanelProps } from "./usage-panel.tsx";
export { type Loaded, useLoaded } from "./use-loaded.ts";
