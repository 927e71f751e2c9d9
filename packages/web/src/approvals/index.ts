export { ApprovalBar, type ApprovalBarProps } from "./approval-bar.tsx";
export { RequestCard, type RequestCardProps } from "./request-card.tsx";
