import { Image as ImageIcon } from "lucide-react";
import { itemWords } from "../../words/words.ts";
import { Activity } from "../activity.tsx";
import { baseName, relativePath, revealed } from "../format.ts";
import { useItemContext } from "../item-context.ts";
import type { ItemProps } from "../item-props.ts";
import { Picture } from "../picture.tsx";

/** A picture that the agent looked at. */
export function ImageView({ item }: ItemProps<"imageView">) {
  const { cwd } = useItemContext();
  return (
    <Activity
      icon={ImageIcon}
      title={itemWords.looked}
      detail={revealed(relativePath(item.path, cwd))}
      foldKey={item.id}
      initiallyOpen
    >
      <Picture path={item.path} alt={baseName(item.path)} />
    </Activity>
  );
}
