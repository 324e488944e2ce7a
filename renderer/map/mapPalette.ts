const TOKEN_OF = {
  land: '--m-land',
  industry: '--m-ind',
  water: '--m-water',
  park: '--m-park',
  street: '--m-st',
  arterial: '--m-art',
  arterialCasing: '--m-art-casing',
  motorway: '--m-maj',
  motorwayCasing: '--m-maj-casing',
  rail: '--m-rail',
  shield: '--m-shield',
  label: '--m-lab',
  waterLabel: '--m-wlab',
  surface: '--bg-1',
  line: '--line-2',
  text: '--text',
  text2: '--text-2',
  text3: '--text-3',
  accent: '--accent',
  moving: '--moving',
  idle: '--idle',
  stopped: '--stopped',
  offline: '--offline',
  alarm: '--alarm',
  warning: '--warn',
} as const;

/** The colours that the map draws with, by what they are for. */
export type MapPalette = Record<keyof typeof TOKEN_OF, string>;

/** Reads the map's colours from the design tokens in force on an element. Throws when the tokens are not loaded. */
export function readMapPalette(element: Element = document.documentElement): MapPalette {
  const style = getComputedStyle(element);
  return mapPaletteFrom((token) => style.getPropertyValue(token).trim());
}

/** The same from any table of tokens. */
export function mapPaletteFrom(valueOf: (token: string) => string): MapPalette {
  const read = (use: keyof MapPalette): string => {
    const colour = valueOf(TOKEN_OF[use]);
    if (colour === '')
      throw new Error(`the token ${TOKEN_OF[use]} is not defined: load theme/tokens.css first`);
    return colour;
  };
  return {
    land: read('land'),
    industry: read('industry'),
    water: read('water'),
    park: read('park'),
    street: read('street'),
    arterial: read('arterial'),
    arterialCasing: read('arterialCasing'),
    motorway: read('motorway'),
    motorwayCasing: read('motorwayCasing'),
    rail: read('rail'),
    shield: read('shield'),
    label: read('label'),
    waterLabel: read('waterLabel'),
    surface: read('surface'),
    line: read('line'),
    text: read('text'),
    text2: read('text2'),
    text3: read('text3'),
    accent: read('accent'),
    moving: read('moving'),
    idle: read('idle'),
    stopped: read('stopped'),
    offline: read('offline'),
    alarm: read('alarm'),
    warning: read('warning'),
  };
}

// MapLibre draws letters itself when a style has no glyphs: each stack becomes a CSS font list, and a word such as
// "Medium" in the first name sets its weight (maplibre-gl, src/render/glyph_manager.ts).
export const REGULAR = ['Inter Variable', 'Noto Sans'];
export const MEDIUM = ['Inter Variable Medium', 'Inter Variable', 'Noto Sans'];
export const SEMIBOLD = ['Inter Variable Semibold', 'Inter Variable', 'Noto Sans'];
