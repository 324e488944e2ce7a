import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeMpegTs, whatItIs } from '../../../../server/video/media/sniff.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the description of unknown content', () => {
  it.each([
    ['', 'zero bytes'],
    ['  \r\n ', 'nothing but white space'],
    ['<!DOCTYPE html><html><head><title> Log in </title>', 'an HTML page titled Log in'],
    ['\n<HTML><body>', 'an HTML page'],
    ['{"error": "no such\n recording"}', 'JSON: {"error": "no such recording"}'],
    ['<?xml version="1.0"?><r/>', 'an XML document: <?xml version="1.0"?><r/>'],
    ['#EXTM3U\n', 'an HLS playlist, not the video itself'],
    ['Unauthorized', 'text: Unauthorized'],
  ])('the description of unknown content names %j %s', (text, words) => {
    expect(whatItIs(bytes(text))).toBe(words);
  });

  it('the description of unknown content names an image, and shows the first bytes of unknown content', () => {
    expect(whatItIs(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0))).toBe('a JPEG picture');
    expect(whatItIs(Uint8Array.of(0x00, 0xfe, 0x12))).toBe('unknown data that starts with 00 fe 12');
  });

  it('the description of unknown content quotes at most 120 characters', () => {
    expect(whatItIs(bytes('x'.repeat(400)))).toBe(`text: ${'x'.repeat(120)}…`);
  });

  it('the description of unknown content is short whatever bytes come', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (head) => {
        const words = whatItIs(head);
        return words.length > 0 && words.length < 160;
      }),
    );
  });
});

describe('looksLikeMpegTs', () => {
  it('looksLikeMpegTs asks for two sync bytes at the distance of a packet', () => {
    const stream = new Uint8Array(400);
    stream[0] = 0x47;
    expect(looksLikeMpegTs(stream)).toBe(false);
    stream[188] = 0x47;
    expect(looksLikeMpegTs(stream)).toBe(true);
  });
});
