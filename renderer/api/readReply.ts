import type { z } from 'zod';
import type { ReplyOf, Route } from '../../server/contract/route.ts';
import { UnexpectedAnswer } from './errors.ts';

/** The reply of a route out of an answer; the schema decides what goes on into the console. */
export async function readReply<T extends Route>(route: T, response: Response): Promise<ReplyOf<T>> {
  if (route.reply === undefined) return undefined as ReplyOf<T>;
  return (await readJson(route, route.reply, response)) as ReplyOf<T>;
}

/** The same for one of several formats, by its own schema. */
export async function readJson<S extends z.ZodType>(
  route: Route,
  schema: S,
  response: Response,
): Promise<z.output<S>> {
  const requestId = response.headers.get('X-Request-Id');
  const body: unknown = await response.json().catch(() => {
    throw new UnexpectedAnswer(`the answer to ${route.id} is not JSON`, requestId);
  });
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    throw new UnexpectedAnswer(
      `the answer to ${route.id} is not what it should be: ${parsed.error.message}`,
      requestId,
    );
  }
  return parsed.data;
}
