import { useState } from "react";
import { PanelSection } from "../side-panel/index.ts";
import { type ModelPrice, setPrice, usePrices } from "../state/prices.ts";
import { Button, Field, TextInput } from "../ui/index.ts";
import { settingsWords, priceWords as words } from "../words/words.ts";
import { RemoveButton } from "./remove-button.tsx";

/** Prices of models, by which the page says what turns cost. */
export function PricesSection({ models }: { readonly models: readonly string[] }) {
  const prices = usePrices();
  return (
    <PanelSection title={words.title}>
      <p className="side-note">{words.intro}</p>
      <ul className="settings-list">
        {Object.entries(prices).map(([model, { input, cached, output }]) => (
          <li key={model} className="settings-item">
            <span className="settings-item-text">
              <span>{model}</span>
              <span className="side-note">{words.shown(input, cached, output)}</span>
            </span>
            <RemoveButton
              label={`${settingsWords.remove} ${model}`}
              confirm={`${settingsWords.remove} ${model}?`}
              onRemove={() => setPrice(model, null)}
            />
          </li>
        ))}
      </ul>
      <PriceForm models={models} />
    </PanelSection>
  );
}

const fields: readonly (keyof ModelPrice)[] = ["input", "cached", "output"];

function PriceForm({ models }: { readonly models: readonly string[] }) {
  const [model, setModel] = useState("");
  const [typed, setTyped] = useState({ input: "", cached: "", output: "" });
  const values = fields.map((field) =>
    Number(typed[field] === "" ? (field === "cached" ? typed.input : "NaN") : typed[field]),
  );
  const [input = 0, cached = 0, output = 0] = values;
  const complete = model.trim() !== "" && values.every((value) => Number.isFinite(value) && value >= 0);
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        setPrice(model.trim(), { input, cached, output });
        setTyped({ input: "", cached: "", output: "" });
      }}
    >
      <Field label={words.model}>
        {(control) => (
          <>
            <TextInput
              {...control}
              list="settings-priced"
              value={model}
              onChange={(event) => setModel(event.target.value)}
            />
            <datalist id="settings-priced">
              {models.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <div className="settings-row">
        {fields.map((field) => (
          <Field key={field} label={words[field]}>
            {(control) => (
              <TextInput
                {...control}
                inputMode="decimal"
                value={typed[field]}
                onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <div>
        <Button type="submit" disabled={!complete}>
          {words.set}
        </Button>
      </div>
    </form>
  );
}
