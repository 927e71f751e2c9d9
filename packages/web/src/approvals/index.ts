export { ApprovalBar } from "./approval-bar.tsx";
export { RequestCard } from "./request-card.tsx";
