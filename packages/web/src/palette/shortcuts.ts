import { defaultKeys, type KeyName, keysOf } from "../side-panel/index.ts";
import { paletteWords } from "../words/words.ts";

interface Shortcut {
  /** As `Kbd` takes them. */
  readonly keys: string;
  /** Given for those that users can change. */
  readonly name?: KeyName;
  readonly does: string;
}

/** Shortcuts that belong together. */
export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** Effects of the shortcuts that users can change. */
export const keyEffects: Readonly<Record<KeyName, string>> = {
  palette: paletteWords.commandPalette,
  sidebar: paletteWords.showHideSidebar,
  terminal: paletteWords.showHideTerminal,
  stop: paletteWords.stopTurn,
  next: paletteWords.nextThreadNeeds,
  previousMessage: paletteWords.previousMessage,
  nextMessage: paletteWords.nextMessage,
  settings: paletteWords.settings,
  message: paletteWords.writeMessage,
  overview: paletteWords.keyboardShortcuts,
};

/** Every shortcut that there is, with the keys that hold now. */
export const shortcutGroups = (): readonly ShortcutGroup[] => [
  {
    title: paletteWords.anywhere,
    shortcuts: [
      ...(Object.keys(defaultKeys) as KeyName[]).map((name) => ({ name, keys: keysOf(name), does: keyEffects[name] })),
      { keys: "Mod+F", does: paletteWords.findThread },
      { keys: "Alt+ArrowUp", does: paletteWords.threadAbove },
      { keys: "Alt+ArrowDown", does: paletteWords.threadBelow },
    ],
  },
  {
    title: paletteWords.whileWriting,
    shortcuts: [
      { keys: "Enter", does: paletteWords.sendNewLineSeeSettings },
      { keys: "Shift+Enter", does: paletteWords.newLine },
      { keys: "Alt+Enter", does: paletteWords.whileTurnRunsQueueInstead },
      { keys: "Escape", does: paletteWords.leaveTextbox },
      { keys: "@", does: paletteWords.nameFile },
      { keys: "$", does: paletteWords.nameSkill },
      { keys: "/", does: paletteWords.commands },
    ],
  },
  {
    title: paletteWords.agentAsks,
    shortcuts: [
      { keys: "y", does: paletteWords.approve },
      { keys: "a", does: paletteWords.approveSession },
      { keys: "n", does: paletteWords.decline },
    ],
  },
];
