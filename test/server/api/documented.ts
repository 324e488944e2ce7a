import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Route } from '../../../server/contract/route.ts';
import type { Answer } from '../../support/caller.ts';

interface Documented {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, unknown> }> }>>;
}

/** What is wrong with an answer by the OpenAPI document; nothing when it answers as documented. */
export type Faults = (route: Route, answer: Answer) => string[];

/** @param document as `GET /openapi.json` answers it */
export function faultsBy(document: Documented): Faults {
  // The formats stand in the document as patterns, too.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'openapi');

  return (route, answer) => {
    const method = route.method.toLowerCase();
    const response = document.paths[route.path]?.[method]?.responses[String(answer.status)];
    if (response === undefined) return [`status ${answer.status} is not documented: ${answer.text}`];
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';', 1);
    if (response.content === undefined) return answer.text === '' ? [] : ['a body is not documented'];
    if (!(type in response.content)) return [`content type ${type} is not documented`];
    if (!/[/+]json$/.test(type)) return [];
    const pointer = ['paths', route.path, method, 'responses', answer.status, 'content', type, 'schema']
      .map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const isValid = ajv.compile({ $ref: `openapi#/${pointer}` });
    return isValid(answer.body) ? [] : [`${ajv.errorsText(isValid.errors)}: ${answer.text.slice(0, 300)}`];
  };
}
