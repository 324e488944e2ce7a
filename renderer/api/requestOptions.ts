import type { z } from 'zod';
import type { Route } from '../../server/contract/route.ts';

type Part<K extends string, S> = S extends z.ZodType
  ? object extends z.input<S>
    ? { [P in K]?: z.input<S> }
    : { [P in K]: z.input<S> }
  : { [P in K]?: undefined };

/** A body in another format than JSON, for the operations that take one. */
export interface TextBody {
  content: string;
  contentType: string;
}

/** What a route must be given, by its schemas; parts whose fields may all be left out may be left out whole. */
export type RequestOptions<T extends Route> = Part<'params', T['params']> &
  Part<'query', T['query']> &
  (Part<'body', T['body']> | { body?: undefined; text: TextBody } | { body?: undefined; bytes: Blob }) & {
    /** The version that a change was made from. */
    ifMatch?: number | undefined;
    idempotencyKey?: string | undefined;
    signal?: AbortSignal | undefined;
  };

/** The same with the types worn off, for the plumbing. */
export interface LooseRequestOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  text?: TextBody | undefined;
  /** Of an operation with a `bytesBody`. */
  bytes?: Blob | undefined;
  ifMatch?: number | undefined;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The path of a route with its parameters and query filled in. Throws when a parameter is missing. */
export function pathOf(route: Route, options: LooseRequestOptions): string {
  const params = new Map(entriesOf(options.params));
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params.get(name);
    if (typeof value !== 'string' || value === '') throw new TypeError(`${route.id} needs ${name}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of entriesOf(options.query)) {
    if (Array.isArray(value)) query.append(name, value.map(String).join(','));
    else if (typeof value === 'string' || typeof value === 'number') query.append(name, String(value));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
