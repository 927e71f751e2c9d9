import type { ItemState } from "@quire/client/view";
import type { ThreadItemOf, ThreadItemType } from "@quire/protocol";

/** Props of the view of one kind of items. */
export interface ItemProps<T extends ThreadItemType> {
  readonly item: ThreadItemOf<T>;
  readonly state: ItemState;
  /** True while the item waits for the user's answer. */
  readonly waiting?: boolean | undefined;
}
