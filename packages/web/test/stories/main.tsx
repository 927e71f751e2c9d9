import { type ReactNode, StrictMode, useEffect, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { followTheme } from "../../src/app/theme.ts";
import { approvalStories } from "./approval-stories.tsx";
import { composerStories } from "./composer-stories.tsx";
import { paletteStories } from "./palette-stories.tsx";
import { sidePanelStories } from "./side-panel-stories.tsx";
import "./stories.css";
import { uiStories } from "./ui-stories.tsx";

/** Shows the story that the fragment names: one component with plain props, whose calls are noted in `window.calls`. */
const stories: Readonly<Record<string, () => ReactNode>> = {
  ...uiStories,
  ...composerStories,
  ...approvalStories,
  ...sidePanelStories,
  ...paletteStories,
};

const subscribe = (listener: () => void): (() => void) => {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
};

/** The story of the address, anew for every address. */
function Shown() {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const Story = stories[hash.slice(1).split("?")[0] ?? ""];
  return (
    <Ready key={hash} hash={hash}>
      {Story === undefined ? Object.keys(stories).join("\n") : <Story />}
    </Ready>
  );
}

/** Says when the story listens: effects of the parts within it have run before this one. */
function Ready({ hash, children }: { readonly hash: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.documentElement.dataset.ready = hash;
  }, [hash]);
  return <main className="story">{children}</main>;
}

followTheme();
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Shown />
    </StrictMode>,
  );
}
