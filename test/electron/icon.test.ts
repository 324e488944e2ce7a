import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawDisc, drawIconWithCount, drawTemplate } from '../../electron/icon/countPicture.ts';
import { iconFiles } from '../../electron/icon/iconFiles.ts';
import { drawPixels } from '../../electron/icon/picture.ts';

const FOLDER = fileURLToPath(new URL('../../resources/icons/', import.meta.url));

/** Of a PNG as drawn here, with one block of data. */
function read(png: Buffer) {
  const length = png.readUInt32BE(33);
  expect(png.toString('latin1', 37, 41)).toBe('IDAT');
  const size = png.readUInt32BE(16);
  const rows = inflateSync(png.subarray(41, 41 + length));
  const pixel = (x: number, y: number) => [...rows.subarray(y * (size * 4 + 1) + 1 + x * 4).subarray(0, 4)];
  return { size, pixel };
}

describe('the icon', () => {
  let drawn: Record<string, Buffer>;
  beforeAll(() => {
    drawn = iconFiles();
  });

  it('the icon lies in each form as it is drawn', () => {
    for (const [name, content] of Object.entries(drawn)) {
      expect(readFileSync(join(FOLDER, name)).equals(content), name).toBe(true);
    }
  });

  it('the icon is an arrowhead within brackets on a tile with round corners', () => {
    const { size, pixel } = read(readFileSync(join(FOLDER, 'icon.png')));
    expect(size).toBe(512);
    expect(pixel(0, 0)[3]).toBe(0);
    expect(pixel(256, 20)).toEqual([0x0b, 0x10, 0x13, 255]);
    expect(pixel(256, 256)).toEqual([0xe4, 0xea, 0xeb, 255]);
    expect(pixel(80, 80)).toEqual([0x62, 0xbe, 0xdc, 255]);
    expect(pixel(432, 80)).toEqual([0x62, 0xbe, 0xdc, 255]);
  });

  it('the icon has the size for Windows that installers ask for, where the directory says', () => {
    const ico = readFileSync(join(FOLDER, 'icon.ico'));
    const entries = Array.from({ length: ico.readUInt16LE(4) }, (_, place) => {
      const at = 6 + 16 * place;
      const [length, offset] = [ico.readUInt32LE(at + 8), ico.readUInt32LE(at + 12)];
      return { edge: ico[at] === 0 ? 256 : ico[at], size: read(ico.subarray(offset, offset + length)).size };
    });
    expect(entries.map(({ edge }) => edge)).toEqual(entries.map(({ size }) => size));
    expect(entries.at(-1)?.size).toBe(256);
  });

  it('the icon bears the number of open alarms in the colour of the gravest, and no disc without any', () => {
    expect(drawIconWithCount(24, 0, 'alarm')).toEqual(drawPixels(24));
    const at = (pixels: Uint8Array, x: number, y: number) => [
      ...pixels.subarray((y * 24 + x) * 4).subarray(0, 4),
    ];
    expect(at(drawIconWithCount(24, 3, 'alarm'), 15, 8)).toEqual([0xff, 0x73, 0x64, 255]);
    expect(at(drawIconWithCount(24, 3, 'warning'), 15, 8)).toEqual([0xf0, 0xb4, 0x45, 255]);
    expect(drawDisc(16, 10, 'alarm')).toEqual(drawDisc(16, 400, 'alarm'));
    const pictures = Array.from({ length: 10 }, (_, count) => drawDisc(16, count + 1, 'alarm').join(' '));
    expect(new Set(pictures).size).toBe(10);
  });

  it('the icon for the menu bar of macOS is black where the mark is, and clear elsewhere', () => {
    const pixels = drawTemplate(36);
    const at = (x: number, y: number) => [...pixels.subarray((y * 36 + x) * 4).subarray(0, 4)];
    expect(at(18, 15)).toEqual([0, 0, 0, 0xeb]);
    expect(at(18, 33)).toEqual([0, 0, 0, 0]);
  });
});
