/** Props of every view that answers a question. */
export interface AnswerProps {
  readonly busy: boolean;
  /** Sends a reply; `label` says in words what it is. */
  readonly onAnswer: (result: unknown, label: string) => void;
}
