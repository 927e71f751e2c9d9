import { type FormEvent, useState } from "react";
import { Button, TextInput } from "../ui/index.ts";
import { approvalWords as words } from "../words/words.ts";

interface DeclineFormProps {
  readonly busy: boolean;
  /** Declines, and tells the agent why. */
  readonly onDecline: (reason: string) => void;
}

/** Declines with a reason, which the agent gets as a message. */
export function DeclineForm({ busy, onDecline }: DeclineFormProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  if (!open) {
    return (
      <Button size="small" variant="ghost" className="approvals-why" onClick={() => setOpen(true)}>
        {words.declineWhy}
      </Button>
    );
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason.trim() !== "") onDecline(reason.trim());
  };
  return (
    <form className="approvals-why-form" onSubmit={submit}>
      <TextInput
        autoFocus
        aria-label={words.reason}
        placeholder={words.reasonHint}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" disabled={busy || reason.trim() === ""}>
        {words.decline}
      </Button>
    </form>
  );
}
