import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { problem, problems, type ProblemCode } from '../contract/problem.ts';
import type { Route } from '../contract/route.ts';

/** The OpenAPI 3.1 document of these operations, made from the same schemas that validate them. */
export function createOpenApi(routes: readonly Route[], appVersion: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    paths[route.path] = { ...paths[route.path], [verb]: operationOf(route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Fleetdeck',
      version: appVersion,
      description:
        'Every call but the authorization methods carries `Authorization: JWT <token>`. Errors are `application/problem+json`; their `code` is stable.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ jwt: [] }],
    components: {
      securitySchemes: {
        jwt: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word JWT, one space, the token: `Authorization: JWT eyJ…`',
        },
      },
    },
    paths,
  });
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const headers: ZodOpenApiOperationObject['parameters'] = [];
  const textHeader = (name: string, description: string) =>
    headers.push({ in: 'header', name, description, schema: { type: 'string' } });
  if (route.versioned === true) textHeader('If-Match', 'the version that the change is made for, in quotes');
  if (route.idempotent === true) textHeader('Idempotency-Key', 'the same key gives the first answer again');
  if (route.id === 'refresh')
    textHeader('Authorization-Refresh', 'the JWT; the field may be written `Authorization refresh`');

  const operation: ZodOpenApiOperationObject = {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: accessText(route),
    parameters: headers,
    responses: {
      [String(route.status) as '200']: successOf(route),
      ...Object.fromEntries(errorStatuses(route)),
    },
  };
  if (route.access === 'anybody') operation.security = [];
  if (route.params !== undefined || route.query !== undefined) {
    operation.requestParams = {
      ...(route.params === undefined ? {} : { path: route.params as never }),
      ...(route.query === undefined ? {} : { query: route.query as never }),
    };
  }
  if (route.body !== undefined) {
    const schema = { schema: route.body };
    operation.requestBody = {
      required: !route.body.safeParse(undefined).success,
      content: {
        'application/json': schema,
        ...(route.method === 'PATCH' ? { 'application/merge-patch+json': schema } : {}),
        ...(route.alsoTakes === undefined
          ? {}
          : { [route.alsoTakes]: { schema: { type: 'string' as const } } }),
      },
    };
  }
  return operation;
}

function accessText(route: Route): string {
  if (route.access === 'anybody') return 'Open to anybody.';
  if (route.access === 'user') return 'For every user.';
  if (route.access === 'dealer') return 'For dealers.';
  return `Needs the right ${route.access.right}:${route.access.level}.`;
}

function successOf(route: Route): ZodOpenApiResponseObject {
  const { bytes } = route;
  if (bytes !== undefined) {
    const content = bytes.contentTypes.map((type) => [
      type,
      {
        schema:
          type === 'application/json' && bytes.json !== undefined ? bytes.json : { type: 'string' as const },
      },
    ]);
    return {
      description: 'Success',
      content: Object.fromEntries(content) as ZodOpenApiResponseObject['content'] & object,
    };
  }
  if (route.reply === undefined) return { description: 'Success' };
  return { description: 'Success', content: { 'application/json': { schema: route.reply } } };
}

/** What this operation can answer, by what it takes and who may call it. */
function possibleErrors(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = [...route.errors, 'host_not_allowed', 'origin_not_allowed', 'internal'];
  if (route.path !== '/api/v1/health') codes.push('rate_limited');
  if (route.access !== 'anybody')
    codes.push('jwt_missing', 'jwt_invalid', 'jwt_expired', 'session_revoked', 'session_expired');
  if (typeof route.access === 'object' || route.access === 'dealer') codes.push('forbidden');
  codes.push('validation_failed');
  if (route.params !== undefined) codes.push('not_found');
  if (route.body !== undefined) codes.push('malformed_json', 'too_large', 'unsupported_media_type');
  if (route.method !== 'GET') codes.push('unavailable', 'disk_full');
  if (route.idempotent === true) codes.push('in_use');
  return [...new Set(codes)];
}

function errorStatuses(route: Route): [string, object][] {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of possibleErrors(route)) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, codes]) => [
    String(status),
    { description: codes.join(', '), content: { 'application/problem+json': { schema: problem } } },
  ]);
}
