import { problem } from '../../server/contract/problem.ts';
import type { Route } from '../../server/contract/route.ts';
import type { Clock } from '../clock/clock.ts';
import { pathOf, type LooseRequestOptions } from './requestOptions.ts';
import { ApiProblem, UnexpectedAnswer, Unreachable } from './errors.ts';

/** The server answers or refuses within moments; what is longer on its way is lost. */
const ANSWER_WITHIN_MS = 30_000;
/** A part of a file goes out over a slow line first, and the last one is answered when all of it was checked. */
const FILE_ANSWER_WITHIN_MS = 300_000;

export interface TransportDeps {
  fetch: typeof fetch;
  clock: Clock;
  /** '' for the page's own origin. */
  baseUrl?: string;
}

export type Transport = ReturnType<typeof createTransport>;

/**
 * Calls of the contract over fetch. After a 429 the same kind of call is answered here, with what is left of
 * `Retry-After`, until the block is over: more calls would be blocked too.
 */
export function createTransport({ fetch, clock, baseUrl = '' }: TransportDeps) {
  const blocks = new Map<'genuine' | 'stranger' | 'tile', { problem: ApiProblem; until: number }>();

  return {
    /**
     * Sends one call and returns the answer of success, its body unread.
     * Throws ApiProblem, UnexpectedAnswer, Unreachable, or the AbortError of `asked.signal`.
     */
    async send(
      route: Route,
      options: LooseRequestOptions,
      headers: Record<string, string> = {},
    ): Promise<Response> {
      // Tiles have a budget of their own.
      const kind =
        route.bytes?.tiles === true
          ? 'tile'
          : Object.keys(headers).some((name) => name.startsWith('Authorization'))
            ? 'genuine'
            : 'stranger';
      const block = blocks.get(kind);
      if (block !== undefined) {
        const leftMs = block.until - clock.now();
        if (leftMs > 0) throw new ApiProblem(block.problem.problem, Math.ceil(leftMs / 1_000));
        blocks.delete(kind);
      }
      const response = await sendRaw(route, options, headers);
      if (response.ok) return response;
      const refusal = await refusalOf(response);
      if (refusal instanceof ApiProblem && refusal.code === 'rate_limited' && refusal.retryAfterS !== null) {
        blocks.set(kind, { problem: refusal, until: clock.now() + refusal.retryAfterS * 1_000 });
      }
      throw refusal;
    },
  };

  async function sendRaw(
    route: Route,
    options: LooseRequestOptions,
    headers: Record<string, string>,
  ): Promise<Response> {
    const timeout = new AbortController();
    const stopTimer = clock.after(
      options.bytes === undefined ? ANSWER_WITHIN_MS : FILE_ANSWER_WITHIN_MS,
      () => timeout.abort(),
    );
    const signal =
      options.signal === undefined ? timeout.signal : AbortSignal.any([options.signal, timeout.signal]);
    try {
      return await fetch(baseUrl + pathOf(route, options), {
        method: route.method,
        headers: {
          ...contentTypeOf(options),
          ...(options.ifMatch === undefined ? {} : { 'If-Match': `"${options.ifMatch}"` }),
          ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
          ...headers,
        },
        body:
          options.bytes ??
          options.text?.content ??
          (options.body === undefined ? null : JSON.stringify(options.body)),
        cache: route.bytes?.tiles === true ? 'default' : 'no-store',
        signal,
      });
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      throw new Unreachable(`no answer to ${route.method} ${route.path}`, { cause: error });
    } finally {
      stopTimer();
    }
  }
}

function contentTypeOf({ body, text, bytes }: LooseRequestOptions): Record<string, string> {
  if (bytes !== undefined) return { 'Content-Type': bytes.type || 'application/octet-stream' };
  if (text !== undefined) return { 'Content-Type': text.contentType };
  return body === undefined ? {} : { 'Content-Type': 'application/json' };
}

async function refusalOf(response: Response): Promise<ApiProblem | UnexpectedAnswer | Unreachable> {
  const body: unknown = await response.json().catch(() => null);
  const parsed = problem.safeParse(body);
  // The host is elsewhere, and the server on this computer has not reached it.
  if (parsed.success && parsed.data.code === 'remote_unreachable') return new Unreachable(parsed.data.detail);
  if (!parsed.success) {
    // What stands before the server answers in its place while it starts again: nothing was said of what was sent.
    if ([502, 503, 504].includes(response.status))
      return new Unreachable(`the server is not there: ${response.status}`);
    return new UnexpectedAnswer(
      `the server answered ${response.status} without a reason`,
      response.headers.get('X-Request-Id'),
    );
  }
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiProblem(parsed.data, Number.isFinite(retryAfter) ? Math.max(0, retryAfter) : null);
}
