import { createRequire } from 'node:module';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { parseBaseMapPart } from '../../../../renderer/map/basemap/baseMapData.ts';
import { baseMapPlugin } from '../../../../renderer/map/basemap/baseMapPlugin.ts';

it('the plugin puts every part of the base map beside a built page, under the address that its index states', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'base-map-'));
  try {
    await writeFile(join(folder, 'index.html'), '<script type="module" src="./main.js"></script>');
    await writeFile(
      join(folder, 'main.js'),
      "import { baseMapIndex } from 'virtual:base-map'; document.title = JSON.stringify(baseMapIndex);",
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [baseMapPlugin(createRequire(import.meta.url), () => 'a1b2c3d4')],
    });
    const assets = await readdir(join(folder, 'dist/assets'));
    const overview = assets.find((name) => /^base-map-.*-overview[.]json$/.test(name));
    const script = assets.find((name) => name.endsWith('.js'));
    expect(overview).toBeDefined();
    expect(assets.filter((name) => /^base-map-.*-\d+-\d+[.]json$/.test(name)).length).toBeGreaterThan(300);
    expect(await readFile(join(folder, 'dist/assets', String(script)), 'utf8')).toContain(overview);
    const part: unknown = JSON.parse(await readFile(join(folder, 'dist/assets', String(overview)), 'utf8'));
    expect(parseBaseMapPart(part)?.places.length).toBeGreaterThan(500);
  } finally {
    await rm(folder, { recursive: true });
  }
});
