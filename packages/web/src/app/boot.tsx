import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { StateProvider } from "../state/react.tsx";
import { App } from "./app.tsx";
import { startPage } from "./start-page.ts";
import { followTheme } from "./theme.ts";

/** Starts the page. */
export function boot(): void {
  followTheme();
  const root = document.getElementById("root");
  if (root === null) return;
  const { store, actions, retry } = startPage();
  createRoot(root).render(
    <StrictMode>
      <StateProvider source={store} actions={actions}>
        <App store={store} onRetry={retry} />
      </StateProvider>
    </StrictMode>,
  );
}
