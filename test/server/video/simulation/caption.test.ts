import { describe, expect, it } from 'vitest';
import {
  CAPTION_PX,
  formatClock,
  drawCaption,
  drawText,
  fitText,
  glyph,
  formatPlace,
  formatSpeed,
  textWidth,
} from '../../../../server/video/simulation/caption.ts';
import type { Moment } from '../../../../server/video/simulation/journey.ts';
import { createPicture, fillRect, tint } from '../../../../server/video/simulation/picture.ts';

const AT = Date.UTC(2026, 10, 19, 12, 3, 48, 249);

describe('the words of the caption', () => {
  it('the words of the caption show the instant in UTC to a tenth of a second, cut and not rounded', () => {
    expect(formatClock(AT)).toBe('2026-11-19 12:03:48.2Z');
    expect(formatClock(AT + 50)).toBe('2026-11-19 12:03:48.2Z');
    expect(formatClock(AT + 51)).toBe('2026-11-19 12:03:48.3Z');
  });

  it('the words of the caption show place, speed and course, or that they are not known', () => {
    expect(formatPlace({ lat: -33.86787, lon: 151.20732 })).toBe('-33.8679 151.2073');
    expect(formatSpeed({ speed_kmh: 93.6, course_deg: 359.7 })).toBe('94 km/h 0°');
    expect(formatPlace(null)).toBe('no position');
    expect(formatSpeed(null)).toBe('- km/h');
  });

  it('fit: the longest clock and place share a line of 512 pixels with a gap', () => {
    const words = textWidth(formatClock(AT), 2) + textWidth('-89.9999 -179.9999', 2);
    expect(words + 2 * 8).toBeLessThanOrEqual(512 - 12);
  });
});

describe('the font', () => {
  it('the font draws every letter of the caption with a shape of its own', () => {
    const letters = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:.-/+°…');
    const shapes = new Set(letters.map((letter) => glyph(letter).join()));
    expect(shapes.size).toBe(letters.length);
  });

  it('the font draws a letter as it looks', () => {
    const seen = Array.from(glyph('A'), (row) =>
      row.toString(2).padStart(5, '0').replaceAll('0', '.').replaceAll('1', '#'),
    );
    expect(seen).toEqual(['.###.', '#...#', '#...#', '#####', '#...#', '#...#', '#...#', '.....']);
  });

  it('the font leaves accents off, reads the letters of Russian plates, and shows that another is missing', () => {
    expect(glyph('ü')).toEqual(glyph('u'));
    expect(Array.from('АВЕКМНОРСТУХ', (letter) => glyph(letter).join())).toEqual(
      Array.from('ABEKMHOPCTYX', (letter) => glyph(letter).join()),
    );
    expect(glyph('字')).toEqual(glyph('語'));
    expect(glyph('字').some((row) => row > 0)).toBe(true);
  });

  it('the font cuts a long text with an ellipsis', () => {
    expect(fitText('V 17 AB1234', 11)).toBe('V 17 AB1234');
    expect(fitText('V 17 AB1234', 8)).toBe('V 17 AB…');
  });

  it('the font is drawn in blocks of the scale', () => {
    const picture = createPicture(16, 16);
    fillRect(picture, 0, 0, 16, 16, tint('#000000'));
    drawText(picture, 0, 0, 'l', 2, tint('#FFFFFF'));
    const lit = picture.y.reduce((sum, y) => sum + (y === 235 ? 1 : 0), 0);
    const dots = glyph('l').reduce((sum, row) => sum + row.toString(2).replaceAll('0', '').length, 0);
    expect(lit).toBe(dots * 4);
  });
});

describe('the caption strip', () => {
  const order = { vehicle: { name: 'V 17', plate: 'AB1234' }, channel: { channel: 1, name: 'Front' } };
  const strip = (atMs: number, changed: Partial<typeof order> = {}) => {
    const picture = createPicture(512, 288);
    const moment: Moment = { atMs, position: null, speedMs: 0, courseDeg: 0, roadM: 0, bend: 0 };
    drawCaption(picture, { ...order, ...changed }, moment);
    return Buffer.from(picture.y.subarray((288 - CAPTION_PX) * 512));
  };

  it('the caption strip differs from one tenth of a second to the next, and not within', () => {
    expect(strip(AT).equals(strip(AT + 20))).toBe(true);
    expect(strip(AT).equals(strip(AT + 100))).toBe(false);
  });

  it('the caption strip names the vehicle and the channel', () => {
    expect(strip(AT).equals(strip(AT, { vehicle: { name: 'V 18', plate: 'AB1234' } }))).toBe(false);
    expect(strip(AT).equals(strip(AT, { vehicle: { name: 'V 17', plate: 'AB1235' } }))).toBe(false);
    expect(strip(AT).equals(strip(AT, { channel: { channel: 1, name: 'Rear' } }))).toBe(false);
  });
});
