import { describe, expect, it } from 'vitest';
import { hexLines, formatHex } from '../../../renderer/intake/messageText.ts';

const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex');

describe('bytes as hex', () => {
  it('bytes as hex stand eight to a line, in two groups, with their place and their text', () => {
    expect(hexLines(hexOf('#L#123;NA\r\n'))).toEqual([
      { offset: '0000', hex: '23 4c 23 31  32 33 3b 4e', text: '#L#123;N' },
      { offset: '0008', hex: '41 0d 0a', text: 'A..' },
    ]);
  });

  it('bytes as hex are all there, in their order', () => {
    const hex = Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256)).toString('hex');
    const lines = hexLines(hex);
    expect(lines.map((line) => line.hex.replaceAll(' ', '')).join('')).toBe(hex);
    expect(lines.at(-1)?.offset).toBe('01f8');
  });

  it('bytes as hex show as text only what can be printed', () => {
    expect(hexLines('1f207e7f80ff00')[0]?.text).toBe('. ~....');
  });

  it('bytes as hex are no line at all when there are none', () => {
    expect(hexLines('')).toEqual([]);
    expect(formatHex('')).toBe('');
  });

  it('bytes as hex keep their columns in line when copied', () => {
    expect(formatHex(hexOf('#P#\r\n12345')).split('\n')).toEqual([
      '0000  23 50 23 0d  0a 31 32 33  #P#..123',
      '0008  34 35                     45',
    ]);
  });
});
