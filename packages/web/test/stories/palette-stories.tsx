import { GitFork, MessageSquare, Plus, Settings } from "lucide-react";
import { type ReactNode, useState } from "react";
import { CommandPalette, type PaletteEntry, ShortcutsDialog, useShortcuts } from "../../src/palette/index.ts";
import { noted } from "./calls.ts";
import { hostile } from "./data.ts";

const thread = (id: string, label: string, detail: string): PaletteEntry => ({
  id,
  label,
  detail,
  group: "Threads",
  icon: <MessageSquare size={16} />,
  onSelect: noted(`open ${id}`, () => undefined),
});

const entries: readonly PaletteEntry[] = [
  thread("t1", "Oil the mill", "~/engine"),
  thread("t2", "Fix the flaky gateway test", "~/quire"),
  thread("t3", hostile, "~/evil"),
  {
    id: "new",
    label: "New thread",
    group: "Actions",
    icon: <Plus size={16} />,
    shortcut: "Mod+I",
    onSelect: noted("new", () => undefined),
  },
  {
    id: "fork",
    label: "Fork this thread",
    group: "Actions",
    icon: <GitFork size={16} />,
    onSelect: noted("fork", () => undefined),
  },
  {
    id: "settings",
    label: "Settings",
    group: "Actions",
    icon: <Settings size={16} />,
    shortcut: "Mod+,",
    onSelect: noted("settings", () => undefined),
  },
];

function PaletteStory(): ReactNode {
  const [open, setOpen] = useState<"palette" | "shortcuts" | null>(null);
  useShortcuts({ palette: () => setOpen("palette"), overview: () => setOpen("shortcuts") });
  return (
    <div className="story-row">
      <button type="button">Before</button>
      <input aria-label="A field" />
      {open === "palette" && <CommandPalette entries={entries} onClose={() => setOpen(null)} />}
      {open === "shortcuts" && <ShortcutsDialog onClose={() => setOpen(null)} />}
    </div>
  );
}

export const paletteStories = { palette: PaletteStory };
