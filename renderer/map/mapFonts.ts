import type { StyleSpecification } from 'maplibre-gl';

export const OTHER_SCRIPTS = 'Noto Sans of other scripts';

// MapLibre draws letters itself when a style has no glyphs: each stack becomes a CSS font list, and a word such as
// "Medium" in the first name sets its weight (maplibre-gl, src/render/glyph_manager.ts).
export const REGULAR = ['Inter Variable', 'Noto Sans', OTHER_SCRIPTS];
export const MEDIUM = ['Inter Variable Medium', 'Inter Variable', 'Noto Sans', OTHER_SCRIPTS];
export const SEMIBOLD = ['Inter Variable Semibold', 'Inter Variable', 'Noto Sans', OTHER_SCRIPTS];

type FontFaces = NonNullable<StyleSpecification['font-faces']>;
let faces: FontFaces | null = null;

/** Font files of the other scripts; null while their list is not here, which is too long for the first picture. */
export const knownFontFaces = (): FontFaces | null => faces;

export async function loadFontFaces(): Promise<FontFaces> {
  faces ??= { [OTHER_SCRIPTS]: (await import('./otherScripts.ts')).fontFaces };
  return faces;
}
