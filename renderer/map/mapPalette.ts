const TOKEN_OF = {
  land: '--m-land',
  industry: '--m-ind',
  water: '--m-water',
  park: '--m-park',
  wood: '--m-wood',
  building: '--m-bld',
  buildingLine: '--m-bld-line',
  street: '--m-st',
  streetNear: '--m-st-near',
  arterial: '--m-art',
  arterialCasing: '--m-art-casing',
  arterialFar: '--m-art-far',
  motorway: '--m-maj',
  motorwayCasing: '--m-maj-casing',
  motorwayFar: '--m-maj-far',
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
  overdue: '--overdue',
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
  const entries = Object.entries(TOKEN_OF).map(([use, token]) => {
    const colour = valueOf(token);
    if (colour === '') throw new Error(`the token ${token} is not defined: load theme/tokens.css first`);
    return [use, colour];
  });
  return Object.fromEntries(entries) as MapPalette;
}
