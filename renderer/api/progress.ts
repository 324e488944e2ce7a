import { z } from 'zod';
import { progressLine } from '../../server/contract/preview.ts';
import { problem } from '../../server/contract/problem.ts';
import type { Route } from '../../server/contract/route.ts';
import type { RequestOptions } from './requestOptions.ts';
import type { Api } from './client.ts';
import { ApiProblem, UnexpectedAnswer, Unreachable } from './errors.ts';
import { readJson } from './readReply.ts';

const LINES = 'application/x-ndjson';
/** What the result must be is asked afterwards: the lines before it are those of all long work. */
const anyLine = progressLine(z.custom<unknown>((result) => result !== undefined));

/**
 * Asks for long work and reports its progress, 0 to 1, until the result is there. Aborting the signal cancels it on the
 * server. Throws ApiProblem (also one that is met half-way), Unreachable, UnexpectedAnswer, or the signal's AbortError.
 */
export async function askProgress<T extends Route, S extends z.ZodType>(
  api: Api,
  route: T,
  schema: S,
  options: RequestOptions<T>,
  onProgress: (share: number) => void,
): Promise<z.output<S>> {
  const response = await api.open(route, options, { Accept: LINES });
  if (response.headers.get('Content-Type')?.startsWith(LINES) !== true) {
    return readJson(route, schema, response);
  }
  const unexpected = (what: string) =>
    new UnexpectedAnswer(`the answer to ${route.id} ${what}`, response.headers.get('X-Request-Id'));
  try {
    for await (const text of linesOf(response)) {
      const line = anyLine.safeParse(parseJson(text));
      if (!line.success) throw unexpected(`has a line that is not of it: ${line.error.message}`);
      if ('progress' in line.data) onProgress(line.data.progress);
      else if ('problem' in line.data) {
        const refusal = problem.safeParse(line.data.problem);
        throw refusal.success
          ? new ApiProblem(refusal.data, null)
          : unexpected(`ends in a problem of no kind: ${line.data.problem.code}`);
      } else {
        const result = schema.safeParse(line.data.result);
        if (!result.success) throw unexpected(`is not what it should be: ${result.error.message}`);
        return result.data;
      }
    }
  } catch (error) {
    // A lost connection shows as a TypeError of the read.
    if (!(error instanceof TypeError)) throw error;
    throw new Unreachable(`the answer to ${route.id} broke off`, { cause: error });
  }
  throw unexpected('ends without a result');
}

/** Lines as they come; leaving early closes the connection. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') yield line;
      if (!done) continue;
      if (rest.trim() !== '') yield rest;
      return;
    }
  } finally {
    // Of a connection that is lost there is nothing left to close.
    reader.cancel().catch(() => undefined);
  }
}

/** Undefined for what is not JSON, which no line is. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
