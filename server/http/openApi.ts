import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { problem } from '../contract/problem.ts';
import { tags, type Route } from '../contract/route.ts';
import { shareTokenHeader } from '../contract/shares.ts';
import { answerHeaders, answersOf } from './openApiResponses.ts';
import { z } from 'zod';

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
        'Every call but the authorization methods carries `Authorization: JWT <token>`, or the token of a link. Errors are `application/problem+json`; their `code` is stable.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf(routes),
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
        link: {
          type: 'apiKey',
          in: 'header',
          name: shareTokenHeader,
          description: 'The token of a link that shares a vehicle: what its address has behind the #',
        },
      },
    },
    paths,
  });
}

/** In the order of the contract. */
function tagsOf(routes: readonly Route[]): { name: string; description: string }[] {
  return [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: tags[name] ?? '' }));
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
    description: formatAccess(route),
    parameters: headers,
    responses: answersOf(route, routes),
  };
  if (route.access === 'anybody') operation.security = route.byLink === true ? [{ link: [] }] : [];
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
          (route.alsoTakes ?? []).map((type) => [type, isJson(type) ? schema : { schema: text }]),
        ),
      },
    };
  }
  if (route.bytesBody !== undefined) {
    operation.requestBody = { required: true, content: { [route.bytesBody.contentType]: { schema: text } } };
  }
  return operation;
}

function isJson(type: string): boolean {
  return /[/+]json$/.test(type);
}

const text = { type: 'string' as const };

function formatAccess(route: Route): string {
  if (route.byLink === true) return 'For whoever has a link.';
  if (route.access === 'anybody') return 'Open to anybody.';
  if (route.access === 'user') return 'For every user.';
  if (route.access === 'dealer') return 'For dealers.';
  return `Needs the right ${route.access.right}:${route.access.level}.`;
}

const documentShape = z.looseObject({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        tags: z.array(z.string()),
        summary: z.string(),
        description: z.string(),
        parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
        requestBody: z.unknown().optional(),
        responses: z.record(z.string(), z.looseObject({ description: z.string() })),
      }),
    ),
  ),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

/** The OpenAPI document as one readable page that needs no script, no style sheet and no network. */
export function docsPage(openApi: object): string {
  const document = documentShape.parse(JSON.parse(JSON.stringify(openApi)));
  const byTag = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] ?? '';
      byTag.set(tag, [...(byTag.get(tag) ?? []), operationHtml(method, path, operation)]);
    }
  }
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="${escaped(name)}"><summary><code>${escaped(name)}</code></summary><pre>${escaped(pretty(schema))}</pre></details>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(document.info.title)} API</title>
<style>
:root { color-scheme: dark light; font: 14px/1.5 Inter, system-ui, sans-serif }
body { max-width: 960px; margin: 32px auto; padding: 0 16px }
code, pre { font: 13px/1.4 ui-monospace, monospace }
pre { overflow: auto; padding: 8px; border: 1px solid #8886 }
details { border-bottom: 1px solid #8884; padding: 6px 0 }
summary { cursor: pointer }
summary b { display: inline-block; min-width: 64px }
</style></head><body>
<h1>${escaped(document.info.title)} API ${escaped(document.info.version)}</h1>
<p>${escaped(document.info.description)} The same as a machine reads it: <a href="/openapi.json">openapi.json</a>.</p>
${[...byTag].map(([tag, operations]) => `<h2>${escaped(tag)}</h2>${operations.join('')}`).join('\n')}
<h2>Schemas</h2>${schemas.join('')}
</body></html>`;
}

type Operation = z.infer<typeof documentShape>['paths'][string][string];

function operationHtml(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    (it) => `<li><code>${escaped(it.name)}</code> in ${escaped(it.in)}</li>`,
  );
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => `<li>${escaped(status)}: ${escaped(answer.description)}</li>`,
  );
  const body =
    operation.requestBody === undefined
      ? ''
      : `<p>Body</p><pre>${escaped(pretty(operation.requestBody))}</pre>`;
  return `<details><summary><b>${escaped(method.toUpperCase())}</b><code>${escaped(path)}</code> ${escaped(operation.summary)}</summary>
<p>${escaped(operation.description)}</p>${parameters.length > 0 ? `<ul>${parameters.join('')}</ul>` : ''}${body}<p>Answers</p><ul>${answers.join('')}</ul></details>`;
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
