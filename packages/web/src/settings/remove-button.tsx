import { useState } from "react";
import { Button } from "../ui/index.ts";
import { settingsWords } from "../words/words.ts";

interface RemoveButtonProps {
  /** Its name, as in "Remove files". */
  readonly label: string;
  /** The question of the second press, as in "Remove files?". */
  readonly confirm: string;
  readonly onRemove: () => void;
}

/** A button that removes something at the second press. */
export function RemoveButton({ label, confirm, onRemove }: RemoveButtonProps) {
  const [asked, setAsked] = useState(false);
  return (
    <Button
      size="small"
      variant={asked ? "danger" : "ghost"}
      aria-label={asked ? confirm : label}
      onClick={() => (asked ? onRemove() : setAsked(true))}
      onBlur={() => setAsked(false)}
    >
      {asked ? confirm : settingsWords.remove}
    </Button>
  );
}
