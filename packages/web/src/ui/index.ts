import "./ui.css";

export { Badge, type Tone } from "./badge.tsx";
export { Button, type ButtonProps, type ButtonVariant } from "./button.tsx";
export { classNames } from "./class-names.ts";
export { Dialog, type DialogProps } from "./dialog.tsx";
export { EmptyState, type EmptyStateProps } from "./empty-state.tsx";
export { Field, type FieldControlProps, type FieldProps } from "./field.tsx";
export { isBareKey, isTyping } from "./hotkeys.ts";
export { IconButton, type IconButtonProps } from "./icon-button.tsx";
export {
  Checkbox,
  Select,
  type SelectOption,
  type SelectProps,
  Switch,
  TextInput,
  type ToggleProps,
} from "./inputs.tsx";
export { Kbd } from "./kbd.tsx";
export { Menu, type MenuItem, type MenuProps, type MenuSection, type MenuTriggerProps } from "./menu.tsx";
export { Meter, type MeterProps } from "./meter.tsx";
export { Notice, type NoticeProps } from "./notice.tsx";
export { Segmented, type SegmentedProps } from "./segmented.tsx";
export { Sheet, type SheetProps } from "./sheet.tsx";
export { Spinner } from "./spinner.tsx";
export { type Tab, Tabs, type TabsProps } from "./tabs.tsx";
export { Tooltip, type TooltipProps } from "./tooltip.tsx";
