import { KeyRound } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { sendToken, tokenIn, tokenOf } from "../link/sign-in.ts";
import { useStore } from "../state/react.tsx";
import { Button, EmptyState, Field, Spinner, TextInput } from "../ui/index.ts";

/** Shows the page once the gateway has let this browser in. */
export function Gate({ children }: { readonly children: ReactNode }): ReactNode {
  const link = useStore((state) => state.link);
  const known = useStore((state) => state.gateway !== null);
  if (link === "unauthorized") {
    return (
      <main className="app-gate">
        <EmptyState icon={<KeyRound size={24} />} title="Sign in to Quire">
          Open the address that <code>quire up</code> printed, or paste it here.
          <TokenForm />
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

/** Takes the token, or the whole address that holds it. */
function TokenForm(): ReactNode {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>();
  useEffect(() => {
    // An address that differs in its fragment alone loads no page, so the token in it would not be read.
    const reload = (): void => {
      if (tokenIn(location.hash) !== null) location.reload();
    };
    addEventListener("hashchange", reload);
    return () => removeEventListener("hashchange", reload);
  }, []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      if (await sendToken(tokenOf(typed))) return location.reload();
      setError("That token is not valid. Copy it again from the terminal.");
    } catch {
      setError("Quire did not answer. Check that it is running, then try again.");
    }
    setBusy(false);
  };
  return (
    <form className="app-gate-form" onSubmit={(event) => void submit(event)}>
      <Field label="Token or address" error={error}>
        {(control) => (
          <TextInput
            {...control}
            type="password"
            autoComplete="current-password"
            spellCheck={false}
            placeholder="http://127.0.0.1:4555/#token=…"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={busy} disabled={typed.trim() === ""}>
        Sign in
      </Button>
    </form>
  );
}
