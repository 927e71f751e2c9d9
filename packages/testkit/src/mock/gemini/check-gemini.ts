import { asFields, asList, asText, type Fields, insist, names, onlyKnown, type Refusal, refusalOf } from "../checks.ts";

const bodyFields = names(
  "contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels",
);
const toolFields = names(
  "functionDeclarations googleSearch googleSearchRetrieval googleMaps codeExecution computerUse urlContext fileSearch",
);
const declarationFields = names(
  "name description parameters parametersJsonSchema response responseJsonSchema behavior",
);
const partFields = names("text thought thoughtSignature inlineData fileData functionCall functionResponse");

/** Fields of the part of OpenAPI that the API knows as a schema. */
const schemaFields = names(
  "type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum",
);

/** Refuses what the Gemini API refuses. `signatures` are those that it has given. */
export function checkGemini(body: Fields, signatures: ReadonlySet<string>): Refusal | undefined {
  return refusalOf(() => {
    onlyKnown(body, bodyFields, unknownName(""));
    for (const [index, tool] of asList(body.tools).entries()) {
      onlyKnown(tool, toolFields, unknownName(`tools[${index}]`));
      for (const [place, declared] of asList(tool.functionDeclarations).entries()) {
        checkDeclaration(declared, `tools[${index}].function_declarations[${place}]`);
      }
    }
    const contents = asList(body.contents);
    insist(contents.length > 0, "* GenerateContentRequest.contents: contents is not specified");
    contents.forEach(checkContent);
    checkOrder(contents, signatures);
  });
}

const unknownName =
  (at: string) =>
  (key: string): [string, string] => [
    `Invalid JSON payload received. Unknown name "${key}"${at === "" ? "" : ` at '${at}'`}: Cannot find field.`,
    key,
  ];

function checkDeclaration(declared: Fields, at: string): void {
  onlyKnown(declared, declarationFields, unknownName(at));
  const isLegal = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(asText(declared.name));
  insist(
    isLegal,
    `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.`,
  );
  if (declared.parameters !== undefined) checkSchema(asFields(declared.parameters), `${at}.parameters`);
}

function checkSchema(schema: Fields, at: string): void {
  onlyKnown(schema, schemaFields, unknownName(at));
  for (const [name, inner] of Object.entries(asFields(schema.properties)))
    checkSchema(asFields(inner), `${at}.properties[${name}]`);
  if (schema.items !== undefined) checkSchema(asFields(schema.items), `${at}.items`);
  for (const inner of asList(schema.anyOf)) checkSchema(inner, `${at}.any_of`);
}

function checkContent(content: Fields, index: number): void {
  const at = `contents[${index}]`;
  onlyKnown(content, names("role parts"), unknownName(at));
  insist(content.role === "user" || content.role === "model", "Please use a valid role: user, model.");
  const parts = asList(content.parts);
  insist(parts.length > 0, `* GenerateContentRequest.${at}.parts: contents.parts must not be empty.`);
  for (const [place, part] of parts.entries()) {
    onlyKnown(part, partFields, unknownName(`${at}.parts[${place}]`));
    const data = [part.text, part.inlineData, part.fileData, part.functionCall, part.functionResponse];
    const isOne = data.filter((value) => value !== undefined).length === 1;
    insist(
      isOne,
      `* GenerateContentRequest.${at}.parts[${place}].data: required oneof field 'data' must have one initialized field`,
    );
  }
}

/** Calls follow what a user or a function said, and each has its response right after; the first brings its signature. */
function checkOrder(contents: readonly Fields[], signatures: ReadonlySet<string>): void {
  let open = 0;
  for (const [index, { role, parts }] of contents.entries()) {
    const calls = asList(parts).filter(({ functionCall }) => functionCall !== undefined);
    const responses = asList(parts).filter(({ functionResponse }) => functionResponse !== undefined);
    insist(
      responses.length === open,
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    );
    open = calls.length;
    if (open === 0) continue;
    insist(
      role === "model" && contents[index - 1]?.role === "user",
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    );
    const signature = asText(calls[0]?.thoughtSignature);
    insist(
      signature !== "",
      `Function call is missing a thought_signature in functionCall parts. position ${index + 1}`,
    );
    const isKnown = signatures.has(signature) || signature === "skip_thought_signature_validator";
    insist(isKnown, "Corrupted thought signature.");
  }
  insist(
    open === 0,
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
  );
}
