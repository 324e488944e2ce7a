import { authRoutes, loginResponse } from '../contract/auth.ts';
import { problem } from '../contract/problem.ts';
import type { BodyFor, ParamsFor, QueryFor, ReplyOf, Route } from '../contract/route.ts';

/** An error that the person at the command line can fix; only its message is printed. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** A running host, as an outside tool sees it. */
export interface RestClient {
  /** Calls one operation; throws `CommandError` for any answer but success. */
  call<R extends Route>(
    route: R,
    given?: { params?: ParamsFor<R>; query?: QueryFor<R>; body?: BodyFor<R> },
  ): Promise<ReplyOf<R>>;
}

/** As a user of the host; throws `CommandError` when it does not answer, says no, or is not Fleetdeck. */
export async function logIn(
  baseUrl: string,
  credentials: { login: string; password: string },
): Promise<RestClient> {
  const anonymous = clientWith(baseUrl, null);
  const login = { ...authRoutes.login, reply: loginResponse.pick({ jwt: true }) };
  const { jwt } = await anonymous.call(login, { query: { jwt: '1' }, body: credentials });
  return clientWith(baseUrl, jwt);
}

function clientWith(baseUrl: string, jwt: string | null): RestClient {
  return {
    async call(route, given = {}) {
      const address = addressOf(baseUrl, route, given);
      const path = `${address.pathname}${address.search}`;
      const response = await fetch(address, {
        method: route.method,
        headers: {
          ...(jwt === null ? {} : { Authorization: `JWT ${jwt}` }),
          ...(given.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
      }).catch((error: unknown) => {
        throw new CommandError(`the host at ${baseUrl} does not answer (${causeOf(error)})`);
      });
      const json: unknown = response.status === 204 ? undefined : await response.json().catch(() => null);
      if (!response.ok)
        throw new CommandError(`the host answers ${response.status}${saidOf(json)} (${path})`);
      if (route.reply === undefined) return undefined as ReplyOf<typeof route>;
      const parsed = route.reply.safeParse(json);
      if (!parsed.success)
        throw new CommandError(`what answers at ${baseUrl} is no Fleetdeck host (${path})`);
      return parsed.data as ReplyOf<typeof route>;
    },
  };
}

function addressOf(baseUrl: string, route: Route, given: { params?: unknown; query?: unknown }): URL {
  const params = (given.params ?? {}) as Record<string, string>;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(
    (given.query ?? {}) as Record<string, string | number | undefined>,
  )) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function saidOf(json: unknown): string {
  const said = problem.pick({ title: true, detail: true }).safeParse(json);
  return said.success ? `: ${said.data.detail || said.data.title}` : '';
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
