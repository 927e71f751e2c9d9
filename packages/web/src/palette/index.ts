export { CommandPalette, type CommandPaletteProps } from "./command-palette.tsx";
export type { PaletteEntry } from "./palette-entries.ts";
export { ShortcutsDialog } from "./shortcuts-dialog.tsx";
export { type ShortcutActions, useShortcuts } from "./use-shortcuts.ts";
