import { type ReactNode, useState } from "react";
import { messageOf } from "../state/index.ts";
import { useActions } from "../state/react.tsx";
import { Button, Dialog, Field, TextInput } from "../ui/index.ts";
import { sidebarWords } from "../words/words.ts";
import { addressProblem } from "./address-problem.ts";

/** A dialog that asks for the address of an app-server. */
export function AddServer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const actions = useActions();
  const [address, setAddress] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const add = async (): Promise<void> => {
    const problem = addressProblem(address.trim());
    setError(problem ?? undefined);
    if (problem !== null) return;
    setBusy(true);
    try {
      await actions.addHub(address.trim());
      onClose();
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={sidebarWords.addServer}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {sidebarWords.cancel}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void add()}>
            {sidebarWords.add}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field label={sidebarWords.address} error={error} hint={sidebarWords.websocketAddressUnixPathPorts}>
          {(control) => (
            <TextInput
              {...control}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              placeholder="ws://127.0.0.1:4500"
              value={address}
              onChange={(event) => setAddress(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
