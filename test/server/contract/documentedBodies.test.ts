import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apiRoutes } from '../../../server/contract/api.ts';
import { createOpenApi } from '../../../server/http/openApi.ts';
import { arbitraryOf, beyondSchemas, isAmong, sourcesOf } from '../api/schemaArbitrary.ts';

const seed = Number(process.env['FLEETDECK_API_SEED'] ?? 13);

type Bodies = Record<string, { schema: Record<string, unknown> }>;
const document = JSON.parse(JSON.stringify(createOpenApi(apiRoutes, '0.0.0'))) as {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { requestBody?: { content: Bodies } }>>;
};
const bodiesOf = (method: string, path: string): Bodies =>
  document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {};

const withBody = apiRoutes.filter((it) => it.body !== undefined);

it.each(withBody.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s accepts every body that its schema in the document allows',
  (_, { method, path, body: contract }) => {
    const schema = bodiesOf(method, path)['application/json']?.schema ?? {};
    fc.assert(
      fc.property(arbitraryOf(schema, sourcesOf(document, [])), (body) => {
        const issues = contract?.safeParse(body).error?.issues ?? [];
        expect(issues.filter(({ message }) => !isAmong(beyondSchemas, message))).toEqual([]);
      }),
      { seed, numRuns: 50 },
    );
  },
);

it('the document describes GeoJSON as objects, in requests and in answers', () => {
  expect(bodiesOf('POST', '/api/v1/geozones/import')['application/geo+json']?.schema).toEqual({
    $ref: '#/components/schemas/GeoJson',
  });
  const texts = JSON.stringify(document).match(/"application\/geo\+json":\{"schema":\{"type":"string"/g);
  expect(texts).toBeNull();
});

it('the document lists its headings with a description each, that of geofences as Geozones', () => {
  const named = document.tags.map(({ name }) => name);
  expect(named).toEqual([...new Set(apiRoutes.map(({ tag }) => tag))]);
  expect(named).toContain('Geozones');
  expect(document.tags.every(({ description }) => description !== '')).toBe(true);
});
