import { addNamespaces, type Namespaces } from "../namespaces/namespaces.ts";
import { ClientCore } from "./client-core.ts";

type GroupedClient = new (...args: ConstructorParameters<typeof ClientCore>) => ClientCore & Namespaces;

/** The client with its server's methods in groups. */
export const ClientGroups: GroupedClient = class extends ClientCore {} as GroupedClient;
addNamespaces(ClientGroups.prototype, (client) => client);
