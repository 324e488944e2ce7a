import { describe, expect, it } from 'vitest';
import { mapPaletteFrom } from '../../../renderer/map/mapPalette.ts';
import { paletteOf, themes } from '../../support/themePalette.ts';

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const channel = (at: number): number => {
      const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  };
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(themes)('the %s map', (theme) => {
  it('the %s map shows every state and severity at 4.2 : 1 or more over land and over water', () => {
    const palette = paletteOf(theme);
    for (const tone of ['moving', 'idle', 'stopped', 'offline', 'alarm', 'warning'] as const) {
      expect(contrast(palette[tone], palette.land), `${tone} over land`).toBeGreaterThanOrEqual(4.2);
      expect(contrast(palette[tone], palette.water), `${tone} over water`).toBeGreaterThanOrEqual(4.2);
    }
  });

  it('the %s map writes names at 4.5 : 1 or more', () => {
    const palette = paletteOf(theme);
    expect(contrast(palette.label, palette.land)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette.waterLabel, palette.water)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette.text, palette.land)).toBeGreaterThanOrEqual(4.5);
  });

  it('the %s map separates streets from buildings, buildings from the ground, and large roads from both', () => {
    const { land, building, streetNear, arterialFar, motorwayFar } = paletteOf(theme);
    expect(contrast(streetNear, building)).toBeGreaterThanOrEqual(1.3);
    expect(contrast(building, land)).toBeGreaterThanOrEqual(1.1);
    expect(contrast(arterialFar, land)).toBeGreaterThanOrEqual(1.4);
    expect(contrast(motorwayFar, land)).toBeGreaterThan(contrast(arterialFar, land));
  });
});

it('the map palette says which token is missing instead of drawing without colour', () => {
  expect(() => mapPaletteFrom((token) => (token === '--m-water' ? '' : '#000000'))).toThrow('--m-water');
});
