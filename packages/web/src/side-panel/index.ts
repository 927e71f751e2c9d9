export { AccountPanel, type AccountPanelProps } from "./account-panel.tsx";
export { McpServer } from "./mcp-panel.tsx";
export { PanelSection, PanelState } from "./panel.tsx";
export {
  onPreferences,
  type Preferences,
  readPreferences,
  usePreferences,
  writePreferences,
} from "./preferences.ts";
export { SidePanel, type SidePanelTab } from "./side-panel.tsx";
export { StatusDialog } from "./status-dialog.tsx";
export { TerminalDrawer } from "./terminal-drawer.tsx";
export { type Loaded, useLoaded } from "./use-loaded.ts";
