import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiRoutes } from '../../../server/contract/api.ts';
import { problemCodes, problems } from '../../../server/contract/problem.ts';
import { startTestHost, type TestHost } from '../../support/testHost.ts';

const media = z.record(z.string(), z.strictObject({ schema: z.looseObject({}) }));
const parameter = z.looseObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  schema: z.looseObject({}),
});
const operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  tags: z.array(z.string()).length(1),
  summary: z.string().min(1),
  description: z.string().min(1),
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content: media }).optional(),
  responses: z.record(
    z.string().regex(/^[2345]\d\d$/),
    z.strictObject({
      description: z.string().min(1),
      headers: z.record(z.string(), z.strictObject({ $ref: z.string() })),
      content: media.optional(),
    }),
  ),
  security: z.union([z.tuple([]), z.tuple([z.strictObject({ link: z.tuple([]) })])]).optional(),
});
/** What of OpenAPI 3.1.0 this document uses, as its specification has it. */
const documentShape = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  tags: z.array(z.strictObject({ name: z.string().min(1), description: z.string().min(1) })),
  servers: z.array(z.strictObject({ url: z.string() })),
  security: z.tuple([z.strictObject({ jwt: z.tuple([]) })]),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  components: z.strictObject({
    securitySchemes: z.strictObject({
      jwt: z.looseObject({
        type: z.literal('apiKey'),
        in: z.literal('header'),
        name: z.literal('Authorization'),
      }),
      link: z.looseObject({
        type: z.literal('apiKey'),
        in: z.literal('header'),
        name: z.literal('Share-Token'),
      }),
    }),
    schemas: z.record(z.string().regex(/^[\w.-]+$/), z.looseObject({})),
    headers: z.record(
      z.string(),
      z.strictObject({ description: z.string().min(1), schema: z.looseObject({}) }),
    ),
  }),
});

type Answer = Awaited<ReturnType<TestHost['anybody']['get']>>;

let host: TestHost;
let answer: Answer;
let text: string;
let docs: Answer;
let document: z.infer<typeof documentShape>;
beforeAll(async () => {
  host = await startTestHost({ dealer: false });
  // Both at once: the server, in the same thread, closes a connection that was idle while the tests worked.
  answer = await host.anybody.get('/openapi.json');
  docs = await host.anybody.get('/docs');
  ({ text } = answer);
  document = documentShape.parse(JSON.parse(text));
});
afterAll(() => host.close());

const operationOf = (route: (typeof apiRoutes)[number]) =>
  document.paths[route.path]?.[route.method.toLowerCase() as 'get'];

/** Every object within a value, with itself. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

describe('GET /openapi.json', () => {
  it('GET /openapi.json needs no JWT and is valid OpenAPI 3.1', async () => {
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(documentShape.safeParse(answer.body).error).toBeUndefined();
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(answer.text) as Record<string, unknown>)).toEqual({
      valid: true,
    });
    expect(validator.version).toBe('3.1');
  });

  it('GET /openapi.json has every operation of the contract and no other', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(apiRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('GET /openapi.json names each operation once', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((it) => it.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids)).toEqual(new Set(apiRoutes.map(({ id }) => id)));
  });

  it('GET /openapi.json points nowhere that is not there', () => {
    const references = [...objectsIn(document)].flatMap((it) =>
      typeof it['$ref'] === 'string' ? [it['$ref']] : [],
    );
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) {
      const [, kind, name] = /^#\/components\/(schemas|headers)\/([\w.-]+)$/.exec(reference) ?? [];
      expect(Object.keys(document.components[kind as 'schemas' | 'headers'])).toContain(name);
    }
  });

  it('GET /openapi.json has no schema that says nothing of a refusal', () => {
    for (const route of apiRoutes) {
      for (const [status, response] of Object.entries(operationOf(route)?.responses ?? {})) {
        // The health that is failing is no refusal: the same reply with another status.
        if (Number(status) < 400 || route.otherStatuses?.includes(Number(status) as 503) === true) continue;
        const codes = response.description.split(', ');
        expect(response.content).toEqual({
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { code: { enum: codes } } },
              ],
            },
          },
        });
        for (const code of codes) {
          expect(problemCodes).toContain(code);
          expect(problems[code as keyof typeof problems].status).toBe(Number(status));
        }
      }
    }
  });

  it.each(apiRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'GET /openapi.json states of %s its parameters, its answers and the rights it needs',
    (_, route) => {
      const said = operationOf(route);
      if (said === undefined) throw new Error('is not there');
      const named = (where: string) =>
        (said.parameters ?? []).filter((it) => it.in === where).map((it) => it.name);
      expect(named('path')).toEqual([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(
        (said.parameters ?? []).filter((it) => it.in === 'path').every((it) => it.required === true),
      ).toBe(true);
      expect(named('header').includes('If-Match')).toBe(route.versioned === true);
      expect(named('header').includes('Idempotency-Key')).toBe(route.idempotent === true);
      expect(said.requestBody !== undefined).toBe(route.body !== undefined || route.bytesBody !== undefined);
      expect(said.responses).toHaveProperty(String(route.status));
      for (const status of ['400', '403', '500']) expect(said.responses).toHaveProperty(status);
      expect(said.responses).toHaveProperty('429');
      const open = route.byLink === true ? [{ link: [] }] : [];
      expect(said.security).toEqual(route.access === 'anybody' ? open : undefined);
      if (route.access !== 'anybody') expect(said.responses).toHaveProperty('401');
      if (route.versioned === true) expect(said.responses).toHaveProperty('412');
      if (route.params !== undefined) expect(said.responses).toHaveProperty('404');
      const success = said.responses[String(route.status)];
      expect(success?.content === undefined).toBe(route.status === 204);
    },
  );

  it('GET /openapi.json describes the headers of answers', () => {
    const headersOf = (path: string, method: 'get' | 'post' | 'patch', status: string) =>
      Object.keys(document.paths[path]?.[method]?.responses[status]?.headers ?? {});
    const always = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    for (const route of apiRoutes) {
      for (const response of Object.values(operationOf(route)?.responses ?? {})) {
        const named = Object.keys(response.headers);
        expect(named).toEqual(expect.arrayContaining(route.id === 'getHealth' ? ['X-Request-Id'] : always));
      }
    }
    expect(headersOf('/api/v1/users', 'post', '201')).toEqual([...always, 'ETag', 'Location']);
    expect(headersOf('/api/v1/notifications/snoozes', 'post', '201')).toEqual(always);
    expect(headersOf('/api/v1/users/{user_id}', 'patch', '200')).toEqual([...always, 'ETag']);
    expect(headersOf('/api/v1/users', 'get', '200')).toEqual(always);
    expect(headersOf('/api/v1/users', 'get', '401')).toEqual([...always, 'WWW-Authenticate']);
    expect(headersOf('/api/v1/users', 'get', '429')).toEqual([...always, 'Retry-After']);
    // The version of the program is none of a resource.
    expect(headersOf('/api/v1/status', 'get', '200')).toEqual(always);
    expect(headersOf('/service/vsvc/api/tasks/{task_id}', 'get', '200')).toContain('Retry-After');
    expect(headersOf('/service/vsvc/api/tasks/file/{task_id}', 'get', '206')).toContain('Content-Range');
  });

  it('GET /openapi.json names the header of the refresh in both spellings', () => {
    const refresh = document.paths['/auth/refresh']?.post;
    expect(JSON.stringify(refresh?.parameters)).toContain('`Authorization refresh`');
    expect(refresh?.parameters?.map((it) => it.name)).toContain('Authorization-Refresh');
  });

  it('GET /openapi.json reveals nothing of this installation', () => {
    expect(text).not.toContain(host.data);
    expect(text).not.toContain('127.0.0.1');
  });
});

describe('GET /docs', () => {
  it('GET /docs is one page that needs no script, no style sheet and no network', () => {
    const { headers, text: page } = docs;
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(|\son\w+=|https?:\/\//i);
  });

  it('GET /docs has every operation, every schema and every refusal', () => {
    const { text: page } = docs;
    for (const { method, path, summary } of apiRoutes) {
      expect(page).toContain(`<b>${method}</b><code>${path}</code>`);
      expect(page).toContain(
        summary.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      );
    }
    for (const name of Object.keys(document.components.schemas)) expect(page).toContain(`id="${name}"`);
    expect(page).toContain('rate_limited');
  });

  it('GET /docs opens and closes its elements in order', () => {
    const { text: page } = docs;
    const open: string[] = [];
    for (const [, close, name = ''] of page.matchAll(/<(\/)?([a-z]\w*)[^>]*>/g)) {
      if (close === undefined && !['meta', 'br'].includes(name)) open.push(name);
      else if (close !== undefined) expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });
});
