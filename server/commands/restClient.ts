import { authRoutes } from '../contract/auth.ts';
import { problem } from '../contract/problem.ts';
import type { BodyFor, ParamsFor, QueryFor, ReplyOf, Route } from '../contract/route.ts';

/** The host does not answer, says no, or is not Fleetdeck; the message is for whoever started the command. */
export class HostProblem extends Error {
  override name = 'HostProblem';
}

/** A running host, as an outside tool sees it. */
export interface RestClient {
  /** Calls one operation; throws `HostProblem` for any answer but success. */
  call<R extends Route>(
    route: R,
    given?: { params?: ParamsFor<R>; query?: QueryFor<R>; body?: BodyFor<R> },
  ): Promise<ReplyOf<R>>;
}

/** Throws `HostProblem`. */
export async function logIn(
  baseUrl: string,
  credentials: { login: string; password: string },
): Promise<RestClient> {
  const anonymous = clientWith(baseUrl, null);
  const { jwt } = await anonymous.call(authRoutes.login, { query: { jwt: '1' }, body: credentials });
  return clientWith(baseUrl, jwt);
}

function clientWith(baseUrl: string, jwt: string | null): RestClient {
  return {
    async call(route, given = {}) {
      const response = await fetch(addressOf(baseUrl, route, given), {
        method: route.method,
        headers: {
          ...(jwt === null ? {} : { Authorization: `JWT ${jwt}` }),
          ...(given.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
      }).catch((error: unknown) => {
        throw new HostProblem(`the host at ${baseUrl} does not answer (${causeOf(error)})`);
      });
      const json: unknown = response.status === 204 ? undefined : await response.json().catch(() => null);
      if (!response.ok)
        throw new HostProblem(`the host answers ${response.status}${saidOf(json)} (${route.path})`);
      if (route.reply === undefined) return undefined as ReplyOf<typeof route>;
      const parsed = route.reply.safeParse(json);
      if (!parsed.success)
        throw new HostProblem(`what answers at ${baseUrl} is no Fleetdeck host (${route.path})`);
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
