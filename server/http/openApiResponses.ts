import { z } from 'zod';
import type { ZodOpenApiHeaderObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { featureCollection, version } from '../contract/fields.ts';
import { problems, type ProblemCode } from '../contract/problem.ts';
import type { Route } from '../contract/route.ts';
import { task } from '../contract/video.ts';

const text = (description: string): ZodOpenApiHeaderObject => ({ description, schema: { type: 'string' } });
const count = (description: string): ZodOpenApiHeaderObject => ({ description, schema: { type: 'integer' } });

/** The headers of answers, each described once. */
export const answerHeaders = {
  'X-Request-Id': text('names this request in the log of the host'),
  'RateLimit-Limit': count('how many calls in any 60 seconds; not on answers to a foreign host or origin'),
  'RateLimit-Remaining': count('how many of them are left'),
  'RateLimit-Reset': count('in so many seconds the first of them is free again'),
  ETag: text('the version of the resource in quotes; of a file its SHA-256, of a tile its SHA-1'),
  Location: text('the address of what was made'),
  'Retry-After': count('in so many seconds it is worth another try'),
  'WWW-Authenticate': text('JWT'),
  'Accept-Ranges': text('bytes'),
  'Content-Range': text('which bytes of how many'),
  'Content-Disposition': text('under which name to save it'),
} as const satisfies Record<string, ZodOpenApiHeaderObject>;

type HeaderName = keyof typeof answerHeaders;

/** All that an operation can answer, by status. */
export function answersOf(
  route: Route,
  routes: readonly Route[],
): Record<`${2 | 3 | 4 | 5}${string}`, ZodOpenApiResponseObject> {
  return {
    [`${route.status}`]: success(route, routes),
    ...Object.fromEntries((route.otherStatuses ?? []).map((status) => [status, success(route, routes)])),
    ...(sendsFile(route) ? fileAnswers(route) : {}),
    ...(route.bytes?.tiles === true ? tileAnswers(route) : {}),
    ...Object.fromEntries(refusals(route)),
  };
}

function success(route: Route, routes: readonly Route[]): ZodOpenApiResponseObject {
  const headers = headersOf(route, ...successHeaders(route, routes));
  const { bytes } = route;
  if (bytes !== undefined) {
    const schemas: Record<string, z.ZodType | undefined> = {
      'application/json': bytes.json,
      'application/geo+json': featureCollection,
    };
    const content = bytes.contentTypes.map((type) => [
      type,
      { schema: schemas[type] ?? { type: 'string' as const } },
    ]);
    return {
      description: 'Success',
      headers,
      content: Object.fromEntries(content) as ZodOpenApiResponseObject['content'] & object,
    };
  }
  if (route.reply === undefined) return { description: 'Success', headers };
  return { description: 'Success', headers, content: { 'application/json': { schema: route.reply } } };
}

function successHeaders(route: Route, routes: readonly Route[]): HeaderName[] {
  const names: HeaderName[] = [];
  if (bearsVersion(route.reply)) names.push('ETag');
  const isReadAtItsOwn = routes.some(
    ({ method, path }) =>
      method === 'GET' && path.startsWith(route.path) && /^\/\{\w+\}$/.test(path.slice(route.path.length)),
  );
  if (route.status === 201 && isReadAtItsOwn) names.push('Location');
  if (route.reply === task) names.push('Retry-After');
  if (route.bytes?.tiles === true) names.push('ETag');
  if (sendsFile(route)) names.push('ETag', 'Accept-Ranges', 'Content-Disposition');
  return names;
}

function bearsVersion(reply: z.ZodType | undefined): boolean {
  if (reply instanceof z.ZodUnion) return reply.options.some((it) => bearsVersion(it as z.ZodType));
  return reply instanceof z.ZodObject && reply.shape['version'] === version;
}

function sendsFile(route: Route): boolean {
  return route.bytes?.contentTypes.includes('video/mp4') === true;
}

function fileAnswers(route: Route): Record<'206' | '304', ZodOpenApiResponseObject> {
  return {
    '206': {
      description: 'The range that was asked for',
      headers: headersOf(route, 'ETag', 'Accept-Ranges', 'Content-Range', 'Content-Disposition'),
      content: { 'video/mp4': { schema: { type: 'string' } } },
    },
    '304': { description: 'Not changed since', headers: headersOf(route, 'ETag') },
  };
}

function tileAnswers(route: Route): Record<'204' | '304', ZodOpenApiResponseObject> {
  return {
    '204': { description: 'There is no tile', headers: headersOf(route) },
    '304': { description: 'Not changed since', headers: headersOf(route, 'ETag') },
  };
}

/** Why this operation can be refused, by what it takes and who may call it. */
function possibleRefusals(route: Route): ReadonlySet<ProblemCode> {
  const codes: ProblemCode[] = ['validation_failed', 'host_not_allowed', 'origin_not_allowed', 'internal'];
  if (counted(route)) codes.push('rate_limited', 'unavailable');
  if (route.access !== 'anybody')
    codes.push(
      'jwt_missing',
      'jwt_invalid',
      'jwt_expired',
      'session_revoked',
      'session_expired',
      'api_not_granted',
    );
  if (typeof route.access === 'object' || route.access === 'dealer') codes.push('forbidden');
  if (route.params !== undefined) codes.push('not_found');
  if (route.body !== undefined) codes.push('malformed_json', 'too_large', 'unsupported_media_type');
  if (route.bytesBody !== undefined) codes.push('too_large', 'unsupported_media_type');
  if (route.method !== 'GET') codes.push('disk_full');
  if (route.versioned === true) codes.push('version_conflict');
  if (route.idempotent === true) codes.push('in_use');
  return new Set([...route.errors, ...codes]);
}

/** Whether calls of it count towards the limits. */
function counted(route: Route): boolean {
  return route.id !== 'getHealth';
}

function refusals(route: Route): [string, ZodOpenApiResponseObject][] {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of possibleRefusals(route)) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.join(', '),
      headers: headersOf(route, ...refusalHeaders(codes)),
      content: {
        'application/problem+json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Problem' },
              { type: 'object', properties: { code: { enum: codes } } },
            ],
          },
        },
      },
    },
  ]);
}

const comesWithRetryAfter: ReadonlySet<ProblemCode> = new Set([
  'rate_limited',
  'task_not_done',
  'unavailable',
]);

function refusalHeaders(codes: readonly ProblemCode[]): HeaderName[] {
  if (codes.some((code) => comesWithRetryAfter.has(code))) return ['Retry-After'];
  return codes.some((code) => problems[code].status === 401) ? ['WWW-Authenticate'] : [];
}

function headersOf(route: Route, ...names: HeaderName[]): Record<string, { $ref: string }> {
  const all: HeaderName[] = ['X-Request-Id'];
  if (counted(route)) all.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
  return Object.fromEntries(
    [...all, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
