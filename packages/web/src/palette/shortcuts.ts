interface Shortcut {
  /** As `Kbd` takes them. */
  readonly keys: string;
  readonly does: string;
}

/** Shortcuts that belong together. */
export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
}

/** Every shortcut that there is. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: "Anywhere",
    shortcuts: [
      { keys: "Mod+K", does: "Command palette" },
      { keys: "Mod+B", does: "Show or hide the sidebar" },
      { keys: "Mod+J", does: "Show or hide the terminal" },
      { keys: "Mod+F", does: "Find in the thread" },
      { keys: "Mod+.", does: "Stop the turn" },
      { keys: "Alt+ArrowUp", does: "Thread above" },
      { keys: "Alt+ArrowDown", does: "Thread below" },
      { keys: "m", does: "Write a message" },
      { keys: "Mod+,", does: "Settings" },
      { keys: "?", does: "Keyboard shortcuts" },
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
