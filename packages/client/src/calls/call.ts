import type { ClientRequests } from "@quire/protocol";
import type { CallOptions, ServerPort } from "../port/server-port.ts";
import type { CursorMethod, ItemOf } from "./cursor-methods.ts";
import type { Paged, PageOptions } from "./paged.ts";
import { pages } from "./pages.ts";

type Params<M extends keyof ClientRequests> = ClientRequests[M]["params"];

/** Arguments of a method: params may be left out where none of them is required. */
export type MethodArguments<M extends keyof ClientRequests, Options = CallOptions> =
  undefined extends Params<M>
    ? [params?: Params<M>, options?: Options]
    : Record<never, never> extends Params<M>
      ? [params?: Params<M>, options?: Options]
      : [params: Params<M>, options?: Options];

/** A method of the server as a function. */
export type Call<M extends keyof ClientRequests> = (
  ...args: MethodArguments<M>
) => Promise<ClientRequests[M]["result"]>;

/** A cursor method of the server as a function: iterate what it gives for all items, await it for one page. */
export type List<M extends CursorMethod> = (
  ...args: MethodArguments<M, PageOptions>
) => Paged<ItemOf<M>, ClientRequests[M]["result"]>;

/** Methods that take no params, or did so once: nothing is sent where nothing is given. */
type BareMethod = {
  [M in keyof ClientRequests]: undefined extends Params<M> ? M : never;
}[keyof ClientRequests];

/** Makes functions of methods. */
export interface Caller {
  /** A method that takes an object, `{}` where none is given: the server wants one even if all in it is optional. */
  call<M extends Exclude<keyof ClientRequests, BareMethod>>(method: M): Call<M>;
  /** A method that takes nothing. */
  bare<M extends BareMethod>(method: M): Call<M>;
  /** A method that answers in pages. */
  list<M extends CursorMethod>(method: M): List<M>;
}

/** The functions of one server. */
export function caller(port: ServerPort): Caller {
  type Request = (method: string, params: unknown, options?: CallOptions) => Promise<never>;
  const request = port.request.bind(port) as unknown as Request;
  return {
    call: (method) => (params?: unknown, options?: CallOptions) => request(method, params ?? {}, options),
    bare: (method) => (params?: unknown, options?: CallOptions) => request(method, params, options),
    list: <M extends CursorMethod>(method: M) =>
      ((params?: Params<M>, options?: PageOptions) => pages(port, method, params ?? {}, options)) as List<M>,
  };
}
