import { KeyRound } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { sendToken, tokenIn, tokenOf } from "../link/sign-in.ts";
import { useStore } from "../state/react.tsx";
import { Button, EmptyState, Field, Spinner, TextInput } from "../ui/index.ts";
import { appWords, signInWords as words } from "../words/words.ts";

/** Shows the page once the gateway has let this browser in. */
export function Gate({ children }: { readonly children: ReactNode }): ReactNode {
  const link = useStore((state) => state.link);
  const known = useStore((state) => state.gateway !== null);
  if (link === "unauthorized") {
    return (
      <main className="app-gate">
        <EmptyState icon={<KeyRound size={24} />} title={words.title}>
          {words.intro}
          <TokenForm />
        </EmptyState>
      </main>
    );
  }
  if (!known) {
    return (
      <main className="app-gate">
        <Spinner label={link === "lost" ? appWords.quireNotRespondingRetrying : appWords.connecting} />
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
      setError(words.wrong);
    } catch {
      setError(words.noAnswer);
    }
    setBusy(false);
  };
  return (
    <form className="app-gate-form" onSubmit={(event) => void submit(event)}>
      <Field label={words.field} error={error}>
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
        {words.submit}
      </Button>
    </form>
  );
}
