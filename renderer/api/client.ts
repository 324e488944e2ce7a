import type { z } from 'zod';
import type { ReplyOf, Route } from '../../server/contract/route.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { RequestOptions, LooseRequestOptions } from './requestOptions.ts';
import { isProblem } from './errors.ts';
import { readJson, readReply } from './readReply.ts';
import type { Transport } from './transport.ts';

export interface Api {
  /**
   * Calls an operation of the contract and returns its reply, checked by the route's schema (undefined where the
   * route has none). Throws ApiProblem, Unreachable, UnexpectedAnswer, or AbortError when `signal` fires.
   */
  request<T extends Route>(route: T, ...options: RequestArguments<T>): Promise<ReplyOf<T>>;
  /** The same for operations that answer in several formats, of which this one reads JSON of a schema. */
  read<T extends Route, S extends z.ZodType>(
    route: T,
    schema: S,
    options: RequestOptions<T>,
  ): Promise<z.output<S>>;
  /** The same for operations that answer bytes: the answer of success, its body unread. */
  open<T extends Route>(
    route: T,
    options: RequestOptions<T>,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

type RequestArguments<T extends Route> =
  object extends RequestOptions<T> ? [asked?: RequestOptions<T>] : [asked: RequestOptions<T>];

/** Every call bears the JWT of the session, renewed when it is about to end or when the server says it has. */
export function createApi({ transport, tokens }: { transport: Transport; tokens: Tokens }): Api {
  return {
    async request<T extends Route>(route: T, ...[options]: RequestArguments<T>): Promise<ReplyOf<T>> {
      const response = await authorized(route, options ?? {});
      return readReply(route, response);
    },
    read: async (route, schema, options) => readJson(route, schema, await authorized(route, options)),
    open: (route, options, headers) => authorized(route, options, headers),
  };

  async function authorized(
    route: Route,
    options: LooseRequestOptions,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    if (route.access === 'anybody') return transport.send(route, options, headers);
    const jwt = await tokens.current();
    try {
      return await transport.send(route, options, { ...headers, Authorization: `JWT ${jwt}` });
    } catch (error) {
      if (isProblem(error, 'session_revoked', 'session_expired', 'jwt_invalid', 'jwt_missing')) {
        tokens.end(error.code);
        throw error;
      }
      if (!isProblem(error, 'jwt_expired')) throw error;
      const renewed = await tokens.renew(jwt);
      return transport.send(route, options, { ...headers, Authorization: `JWT ${renewed}` });
    }
  }
}

/** An `Idempotency-Key` of its own. `crypto.randomUUID` is not there on a page that came without TLS; this is. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The most that a list answers at once. */
export const PAGE_LIMIT = 1_000;

/**
 * Reads a paged list to its end, page after page.
 * Ten thousand vehicles are ten calls, well within the 60 a minute that the console allows itself.
 */
export async function fetchAllPages<T>(
  read: (cursor: string | undefined) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    items.push(...page.items);
    if (page.next_cursor === null) return items;
    cursor = page.next_cursor;
  }
}
