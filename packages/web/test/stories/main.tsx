import { type ReactNode, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { followTheme } from "../../src/app/theme.ts";
import { approvalStories } from "./approval-stories.tsx";
import { besideStories } from "./beside-stories.tsx";
import { composerStories } from "./composer-stories.tsx";
import { paletteStories } from "./palette-stories.tsx";
import "./stories.css";
import { uiStories } from "./ui-stories.tsx";

/** Shows the story that the fragment names: one component with plain props, whose calls are noted in `window.calls`. */
const stories: Readonly<Record<string, () => ReactNode>> = {
  ...uiStories,
  ...composerStories,
  ...approvalStories,
  ...besideStories,
  ...paletteStories,
};

const name = location.hash.slice(1).split("?")[0] ?? "";

/** Says when the story listens: effects of the parts within it have run before this one. */
function Ready({ children }: { readonly children: ReactNode }) {
  useEffect(() => {
    document.documentElement.dataset.ready = "";
  }, []);
  return <main className="story">{children}</main>;
}

followTheme();
const Story = stories[name];
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Ready>{Story === undefined ? Object.keys(stories).join("\n") : <Story />}</Ready>
    </StrictMode>,
  );
}
