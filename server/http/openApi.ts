import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { problem } from '../contract/problem.ts';
import type { Route } from '../contract/route.ts';
import { answerHeaders, answersOf } from './openApiResponses.ts';

/** The OpenAPI 3.1 document of these operations, made from the same schemas that validate them. */
export function createOpenApi(routes: readonly Route[], appVersion: string): object {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    paths[route.path] = { ...paths[route.path], [verb]: operationOf(route, routes) };
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
      schemas: { Problem: problem },
      headers: answerHeaders,
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

function operationOf(route: Route, routes: readonly Route[]): ZodOpenApiOperationObject {
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
    responses: answersOf(route, routes),
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
        ...Object.fromEntries(
          (route.alsoTakes ?? []).map((type) => [type, { schema: { type: 'string' as const } }]),
        ),
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
