import { Archive, Copy, Ellipsis, Folder, GitFork, Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import {
  Badge,
  Button,
  Checkbox,
  Dialog,
  EmptyState,
  Field,
  IconButton,
  Kbd,
  Menu,
  Meter,
  Notice,
  Segmented,
  Select,
  Sheet,
  Spinner,
  Switch,
  Tabs,
  TextInput,
} from "../../src/ui/index.ts";
import { noted } from "./calls.ts";

function UiStory(): ReactNode {
  const [dialog, setDialog] = useState(false);
  const [sheet, setSheet] = useState(false);
  const [tab, setTab] = useState("one");
  const [on, setOn] = useState(true);
  const [choice, setChoice] = useState("a");
  const options = [
    { value: "a", label: "First" },
    { value: "b", label: "Second" },
  ];
  return (
    <div className="story-spread">
      <div className="story-row">
        <Button variant="primary">Primary</Button>
        <Button onClick={() => setDialog(true)}>Open dialog</Button>
        <Button variant="ghost" onClick={() => setSheet(true)}>
          Open sheet
        </Button>
        <Button variant="danger">Danger</Button>
        <Button busy>Busy</Button>
        <Button disabled>Disabled</Button>
        <IconButton label="Copy" shortcut="Mod+C" icon={<Copy size={16} />} onClick={noted("copy", () => undefined)} />
        <Menu
          label="More"
          trigger={(props) => <IconButton label="More" icon={<Ellipsis size={16} />} {...props} />}
          sections={[
            {
              items: [
                {
                  id: "rename",
                  label: "Rename",
                  icon: <Pencil size={16} />,
                  onSelect: noted("rename", () => undefined),
                },
                { id: "fork", label: "Fork", icon: <GitFork size={16} />, onSelect: noted("fork", () => undefined) },
                {
                  id: "wait",
                  label: "Compact",
                  description: "Not while a turn runs",
                  disabled: true,
                  onSelect: noted("compact", () => undefined),
                },
              ],
            },
            {
              heading: "Danger",
              items: [
                {
                  id: "archive",
                  label: "Archive",
                  icon: <Archive size={16} />,
                  danger: true,
                  onSelect: noted("archive", () => undefined),
                },
              ],
            },
          ]}
        />
      </div>
      <div className="story-row">
        <Badge>neutral</Badge>
        <Badge tone="accent">accent</Badge>
        <Badge tone="success">success</Badge>
        <Badge tone="warning">warning</Badge>
        <Badge tone="danger">danger</Badge>
        <Kbd keys="Mod+K" />
        <Spinner label="Loading" />
      </div>
      <Notice tone="danger" actions={<Button size="small">Try again</Button>}>
        The list could not be read: the server is gone.
      </Notice>
      <Meter label="Context window" percent={78} detail="212k of 272k (78 %)" />
      <Field label="Name" hint="As others see it" error="Fill this in." required>
        {(control) => <TextInput {...control} placeholder="Ada" />}
      </Field>
      <Field label="Kind">
        {(control) => <Select {...control} options={options} value={choice} onChange={setChoice} />}
      </Field>
      <Segmented label="Order" options={options} value={choice} onChange={setChoice} />
      <Checkbox label="Remember it" hint="On this device" checked={on} onChange={setOn} />
      <Switch label="Notify me" hint="When a turn ends" checked={on} onChange={setOn} />
      <Tabs
        label="Parts"
        tabs={[
          { id: "one", label: "One" },
          { id: "two", label: "Two", badge: 3 },
          { id: "three", label: "Three" },
        ]}
        selected={tab}
        onSelect={setTab}
      >
        <EmptyState icon={<Folder size={24} />} title={`Nothing in ${tab}`}>
          It fills up by itself.
        </EmptyState>
      </Tabs>
      {dialog && (
        <Dialog
          title="A dialog"
          onClose={() => setDialog(false)}
          footer={<Button onClick={() => setDialog(false)}>Done</Button>}
        >
          <TextInput aria-label="Inside" />
        </Dialog>
      )}
      {sheet && (
        <Sheet label="A sheet" onClose={() => setSheet(false)}>
          <Button onClick={() => setSheet(false)}>Back</Button>
        </Sheet>
      )}
    </div>
  );
}

export const uiStories = { ui: UiStory };
