import { z } from 'zod';

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
      `<details id="${text(name)}"><summary><code>${text(name)}</code></summary><pre>${text(pretty(schema))}</pre></details>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(document.info.title)} API</title>
<style>
:root { color-scheme: dark light; font: 14px/1.5 Inter, system-ui, sans-serif }
body { max-width: 960px; margin: 32px auto; padding: 0 16px }
code, pre { font: 13px/1.4 ui-monospace, monospace }
pre { overflow: auto; padding: 8px; border: 1px solid #8886 }
details { border-bottom: 1px solid #8884; padding: 6px 0 }
summary { cursor: pointer }
summary b { display: inline-block; min-width: 64px }
</style></head><body>
<h1>${text(document.info.title)} API ${text(document.info.version)}</h1>
<p>${text(document.info.description)} The same as a machine reads it: <a href="/openapi.json">openapi.json</a>.</p>
${[...byTag].map(([tag, operations]) => `<h2>${text(tag)}</h2>${operations.join('')}`).join('\n')}
<h2>Schemas</h2>${schemas.join('')}
</body></html>`;
}

type Operation = z.infer<typeof documentShape>['paths'][string][string];

function operationHtml(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    (it) => `<li><code>${text(it.name)}</code> in ${text(it.in)}</li>`,
  );
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => `<li>${text(status)}: ${text(answer.description)}</li>`,
  );
  const body =
    operation.requestBody === undefined ? '' : `<p>Body</p><pre>${text(pretty(operation.requestBody))}</pre>`;
  return `<details><summary><b>${text(method.toUpperCase())}</b><code>${text(path)}</code> ${text(operation.summary)}</summary>
<p>${text(operation.description)}</p>${parameters.length > 0 ? `<ul>${parameters.join('')}</ul>` : ''}${body}<p>Answers</p><ul>${answers.join('')}</ul></details>`;
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
