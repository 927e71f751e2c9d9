export { CommandPalette } from "./command-palette.tsx";
export type { PaletteEntry } from "./palette-entries.ts";
export { keyEffects } from "./shortcuts.ts";
export { ShortcutsDialog } from "./shortcuts-dialog.tsx";
export { useShortcuts } from "./use-shortcuts.ts";
