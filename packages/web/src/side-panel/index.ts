export { AccountPanel, type AccountPanelProps } from "./account-panel.tsx";
export { defaultKeys, type KeyName, keysIn, keysOf, shortcutOf } from "./key-bindings.ts";
export { McpServer } from "./mcp-panel.tsx";
export { PanelSection, PanelState } from "./panel.tsx";
export {
  fontSizes,
  onPreferences,
  type Preferences,
  readPreferences,
  themes,
  usePreferences,
  writePreferences,
} from "./preferences.ts";
export type { SidePanelTab } from "./side-panel.tsx";
export { StatusDialog } from "./status-dialog.tsx";
export { TerminalDrawer } from "./terminal-drawer.tsx";
export { type Loaded, useLoaded } from "./use-loaded.ts";
