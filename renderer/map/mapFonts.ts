// MapLibre draws letters itself when a style has no glyphs: each stack becomes a CSS font list, and a word such as
// "Medium" in the first name sets its weight (maplibre-gl, src/render/glyph_manager.ts).
export const REGULAR = ['Inter Variable', 'Noto Sans'];
export const MEDIUM = ['Inter Variable Medium', 'Inter Variable', 'Noto Sans'];
export const SEMIBOLD = ['Inter Variable Semibold', 'Inter Variable', 'Noto Sans'];
