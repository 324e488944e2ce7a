import type { BodyFor, ParamsFor, QueryFor, ReplyOf, Route } from '../../server/contract/route.ts';
import type { ProblemCode } from '../../server/contract/problem.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** The JSON of the answer; undefined when it has none. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- tests look into answers of every kind
  text: string;
  /** Of a refusal, what clients switch on. */
  code: string | undefined;
}

type Part<K extends string, T> = undefined extends T
  ? { [P in K]?: T }
  : object extends T
    ? { [P in K]?: T }
    : { [P in K]: T };

/** What a route must be given, by its contract. */
export type Asked<R extends Route> = Part<'params', ParamsFor<R>> &
  Part<'query', QueryFor<R>> &
  Part<'body', BodyFor<R>> & { headers?: Record<string, string> };

type RestAsked<R extends Route> = object extends Asked<R> ? [asked?: Asked<R>] : [asked: Asked<R>];

export interface ApiClient {
  jwt: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Calls an operation of the contract and answers its parsed reply; rejects when it is refused. */
  ask<R extends Route>(route: R, ...asked: RestAsked<R>): Promise<ReplyOf<R>>;
  /** Calls an operation of the contract and answers whatever comes, `"404 not_found"` for a refusal. */
  outcome<R extends Route>(route: R, ...asked: RestAsked<R>): Promise<`${number} ${ProblemCode}` | number>;
}

function isReady(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Calls as the user of the JWT; `''` is nobody. */
export function apiClientFor(url: string, jwt: string): ApiClient {
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(jwt === '' ? {} : { Authorization: `JWT ${jwt}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isReady(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    const parsed: unknown = isJson ? JSON.parse(text) : undefined;
    const code = (parsed as { code?: unknown } | undefined)?.code;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: parsed,
      code: typeof code === 'string' ? code : undefined,
    };
  }

  const callRoute = (route: Route, asked: LooseAsked | undefined) =>
    call(route.method, pathOf(route, asked), asked?.body, asked?.headers);

  return {
    jwt,
    call,
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    async ask<R extends Route>(route: R, ...[asked]: RestAsked<R>) {
      const answer = await callRoute(route, asked);
      if (answer.status !== route.status) {
        throw new Error(`${route.id} answered ${answer.status}: ${answer.text}`);
      }
      return route.reply?.parse(answer.body) as ReplyOf<R>;
    },
    async outcome(route, ...[asked]) {
      const { status, code } = await callRoute(route, asked);
      return code === undefined ? status : `${status} ${code as ProblemCode}`;
    },
  };
}

/** Logs in; rejects when it is refused. */
export async function logIn(url: string, login: string, password: string): Promise<ApiClient> {
  const answer = await apiClientFor(url, '').post('/auth/login?jwt=1', { login, password });
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${answer.text}`);
  return apiClientFor(url, (answer.body as { jwt: string }).jwt);
}

interface LooseAsked {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The path of a route with its parameters and query filled in. */
export function pathOf(route: Pick<Route, 'path'>, { params, query }: LooseAsked = {}): string {
  const named = new Map(Object.entries(params ?? {}));
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(named.get(name))),
  );
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]) => [name, String(value)]),
  ).toString();
  return search === '' ? path : `${path}?${search}`;
}
