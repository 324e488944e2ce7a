import { describe, expect, it } from 'vitest';
import { inSentence } from '../../../renderer/format/inSentence.ts';

describe('a name in a sentence', () => {
  it('a name in a sentence begins small unless it is an abbreviation', () => {
    expect(inSentence('Overspeed')).toBe('overspeed');
    expect(inSentence('SOS button')).toBe('SOS button');
  });
});
