import { PanelRight } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../ui/index.ts";
import { appWords } from "../words/words.ts";

interface PanelButtonProps {
  readonly open: boolean;
  readonly onPress: () => void;
}

/** Shows and hides the panel beside the main part. */
export function PanelButton({ open, onPress }: PanelButtonProps): ReactNode {
  return (
    <IconButton
      label={open ? appWords.hidePanel : appWords.showPanel}
      active={open}
      aria-expanded={open}
      icon={<PanelRight size={16} />}
      onClick={onPress}
    />
  );
}
