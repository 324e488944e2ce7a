import { crc32, deflateSync } from 'node:zlib';
import { drawPixels, drawSvg } from './picture.ts';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What Windows asks for between the title bar and the desktop. */
const ICO_SIZES = [16, 24, 32, 48, 64, 128, 256];
/** Types of PNG pictures in an ICNS file, by size. */
const ICNS_TYPES: Readonly<Record<string, number>> = { ic07: 128, ic08: 256, ic09: 512, ic10: 1024 };

/** The program's icon in the form of each system, by file name. */
export function iconFiles(): Record<string, Buffer> {
  return {
    'icon.svg': Buffer.from(drawSvg()),
    'icon.png': markPng(512),
    'icon.ico': ico(ICO_SIZES),
    'icon.icns': icns(ICNS_TYPES),
  };
}

const markPng = (size: number) => encodePng(drawPixels(size), size);

/**
 * PNG specification, section 5 and 11: signature, IHDR, IDAT, IEND; 8 bits, with opacity, no filter.
 *
 * @param pixels rows of red, green, blue, opacity of a square picture
 */
export function encodePng(pixels: Uint8Array, size: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let row = 0; row < size; row++) {
    rows.set(pixels.subarray(row * size * 4, (row + 1) * size * 4), row * (size * 4 + 1) + 1);
  }
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A directory of 16 bytes for each picture, then the pictures as PNG, which Windows reads since Vista. */
function ico(sizes: readonly number[]): Buffer {
  const pictures = sizes.map(markPng);
  const head = Buffer.alloc(6 + 16 * sizes.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let offset = head.length;
  pictures.forEach((picture, place) => {
    const at = 6 + 16 * place;
    // 256 does not fit into a byte and is written as 0.
    const edge = (sizes[place] ?? 0) % 256;
    head.set([edge, edge, 0, 0, 1, 0, 32, 0], at);
    head.writeUInt32LE(picture.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  });
  return Buffer.concat([head, ...pictures]);
}

/** The word icns and the length of all, then for each picture its type, its length with these 8 bytes, and its PNG. */
function icns(types: Readonly<Record<string, number>>): Buffer {
  const parts = Object.entries(types).map(([type, size]) => icnsPart(type, markPng(size)));
  return icnsPart('icns', Buffer.concat(parts));
}

function icnsPart(type: string, content: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32BE(content.length + head.length, 4);
  return Buffer.concat([head, content]);
}
