import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import { ApiError } from './apiError.ts';
import { docsPage } from './openApi.ts';

/** The build puts each of these a second time beside itself, compressed by gzip: a third of the bytes. */
const COMPRESSED = /[.](js|css|json)$/;

/**
 * What lies outside the API: the built console, the OpenAPI document and its readable form.
 *
 * @param options.consoleFolder where the built console lies; its `index.html` answers `/`
 * @param options.openApi makes the document; called when it is first asked for
 * @param options.head HTML that the console's page gets at the end of its head
 */
export function createStaticFiles(options: {
  consoleFolder: string;
  openApi: () => object;
  head?: string;
}): RequestHandler {
  const router = Router();
  // Made when they are asked for: most starts never are, and it would take a tenth of a second of each.
  // As bytes, which all answers under way share: of a string each would hold its own.
  let openApiBytes: Buffer | null = null;
  let docsBytes: Buffer | null = null;
  router.get('/openapi.json', (_request, response) => {
    openApiBytes ??= Buffer.from(JSON.stringify(options.openApi()));
    response.type('application/json').send(openApiBytes);
  });
  router.get('/docs', (_request, response) => {
    docsBytes ??= Buffer.from(docsPage(options.openApi()));
    response.type('text/html').send(docsBytes);
  });
  router.get('/', async (_request, response) => {
    const page = await readFile(join(options.consoleFolder, 'index.html'), 'utf8').catch(() => {
      throw new ApiError('unavailable', 'The console is not built: run npm run build.');
    });
    // A function: `$` in the text would else stand for a part of the page.
    const withHead = page.replace('</head>', () => `${options.head ?? ''}</head>`);
    response.set('Cache-Control', 'no-cache').type('text/html').send(withHead);
  });
  // Of links to vehicles: whoever has one has no login, and gets none of the console.
  router.get('/share', async (_request, response) => {
    const page = await readFile(join(options.consoleFolder, 'share.html')).catch(() => {
      throw new ApiError('unavailable', 'The console is not built: run npm run build.');
    });
    response.set('Cache-Control', 'no-cache').type('text/html').send(page);
  });
  const assets = join(options.consoleFolder, 'assets');
  // The build names its assets after their content.
  const forGood = { immutable: true, maxAge: '1y' } as const;
  router.get('/assets/:name', (request, response, next) => {
    const { name } = request.params;
    const isCompressed = COMPRESSED.test(name);
    if (isCompressed) response.vary('Accept-Encoding');
    if (!isCompressed || request.acceptsEncodings('gzip') === false) {
      next();
      return;
    }
    response.type(extname(name)).set('Content-Encoding', 'gzip');
    response.sendFile(`${name}.gz`, { ...forGood, root: assets }, (error) => {
      if (error === undefined || response.headersSent) return;
      response.removeHeader('Content-Encoding');
      response.removeHeader('Content-Type');
      next();
    });
  });
  router.use('/assets', express.static(assets, { ...forGood, index: false }));
  router.use(express.static(options.consoleFolder, { index: false, maxAge: 0 }));
  return router;
}
