import type { ItemState } from "@quire/client/view";
import { Component, type ReactNode } from "react";
import { itemWords } from "../words/words.ts";
import { UnknownItem } from "./kinds/unknown-item.tsx";

interface BoundaryProps {
  readonly state: ItemState;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly seen: ItemState | null;
  readonly failed: boolean;
}

/**
 * Shows an item as plain data when its view fails, most often because another version of the server sends it in another
 * form. One odd item must not take the thread with it.
 */
export class ItemBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { seen: null, failed: false };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { failed: true };
  }

  /** An item that changed gets another chance. */
  static getDerivedStateFromProps({ state }: BoundaryProps, { seen }: BoundaryState): BoundaryState | null {
    return seen === state ? null : { seen: state, failed: false };
  }

  override componentDidCatch(error: unknown): void {
    console.warn(itemWords.viewItemKindFailed(this.props.state.item.type), error);
  }

  override render(): ReactNode {
    const { state, children } = this.props;
    return this.state.failed ? <UnknownItem item={state.item} /> : children;
  }
}
