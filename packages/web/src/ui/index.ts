import "./ui.css";

export { Badge, type Tone } from "./badge.tsx";
export { Button, type ButtonVariant } from "./button.tsx";
export { classNames } from "./class-names.ts";
export { Dialog } from "./dialog.tsx";
export { EmptyState } from "./empty-state.tsx";
export { Field } from "./field.tsx";
export { isBareKey, isTyping } from "./hotkeys.ts";
export { IconButton } from "./icon-button.tsx";
export { Checkbox, Select, Switch, TextInput } from "./inputs.tsx";
export { Kbd } from "./kbd.tsx";
export { Menu, type MenuItem, type MenuSection } from "./menu.tsx";
export { Meter } from "./meter.tsx";
export { Notice } from "./notice.tsx";
export { Segmented } from "./segmented.tsx";
export { Sheet } from "./sheet.tsx";
export { Spinner } from "./spinner.tsx";
export { Tabs } from "./tabs.tsx";
