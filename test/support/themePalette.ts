import { readFileSync } from 'node:fs';
import { mapPaletteFrom, type MapPalette } from '../../renderer/map/mapPalette.ts';

const css = readFileSync(new URL('../../renderer/theme/tokens.css', import.meta.url), 'utf8');

export const themes = ['dark', 'light'] as const;

/** The map's colours of a theme, as its tokens have them. */
export function paletteOf(theme: (typeof themes)[number]): MapPalette {
  const block = new RegExp(`:root\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  const tokens = new Map(
    [...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
  return mapPaletteFrom((token) => tokens.get(token) ?? '');
}
