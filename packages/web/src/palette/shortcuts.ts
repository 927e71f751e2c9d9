import { defaultKeys, type KeyName, keysOf } from "../side-panel/index.ts";

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
  palette: "Command palette",
  sidebar: "Show or hide the sidebar",
  terminal: "Show or hide the terminal",
  stop: "Stop the turn",
  next: "Next thread that needs you",
  previousMessage: "Previous message",
  nextMessage: "Next message",
  settings: "Settings",
  message: "Write a message",
  overview: "Keyboard shortcuts",
};

/** Every shortcut that there is, with the keys that hold now. */
export const shortcutGroups = (): readonly ShortcutGroup[] => [
  {
    title: "Anywhere",
    shortcuts: [
      ...(Object.keys(defaultKeys) as KeyName[]).map((name) => ({ name, keys: keysOf(name), does: keyEffects[name] })),
      { keys: "Mod+F", does: "Find in the thread" },
      { keys: "Alt+ArrowUp", does: "Thread above" },
      { keys: "Alt+ArrowDown", does: "Thread below" },
    ],
  },
  {
    title: "While writing",
    shortcuts: [
      { keys: "Enter", does: "Send (or new line, see Settings)" },
      { keys: "Shift+Enter", does: "New line" },
      { keys: "Alt+Enter", does: "While a turn runs: queue instead of steer, or vice versa" },
      { keys: "Escape", does: "Leave the textbox" },
      { keys: "@", does: "Name a file" },
      { keys: "$", does: "Name a skill" },
      { keys: "/", does: "Commands" },
    ],
  },
  {
    title: "When the agent asks",
    shortcuts: [
      { keys: "y", does: "Approve" },
      { keys: "a", does: "Approve for the session" },
      { keys: "n", does: "Decline" },
    ],
  },
];
