import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { useStore } from "../state/react.tsx";
import { EmptyState, Spinner } from "../ui/index.ts";

/** Shows the page once the gateway has let this browser in. */
export function Gate({ children }: { readonly children: ReactNode }): ReactNode {
  const link = useStore((state) => state.link);
  const known = useStore((state) => state.gateway !== null);
  if (link === "unauthorized") {
    return (
      <main className="app-gate">
        <EmptyState icon={<KeyRound size={24} />} title="Open the URL that quire printed">
          This browser has no access yet, or its access ended when Quire was restarted. The URL in the terminal, which
          ends in <code>#token=…</code>, lets it in.
        </EmptyState>
      </main>
    );
  }
  if (!known) {
    return (
      <main className="app-gate">
        <Spinner label={link === "lost" ? "Quire is not responding. Retrying" : "Connecting"} />
      </main>
    );
  }
  return children;
}
