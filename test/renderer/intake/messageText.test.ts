import { describe, expect, it } from 'vitest';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { formatLength, formatMessage } from '../../../renderer/intake/messageText.ts';
import { sampleMessage, sampleReport } from './sampleMessage.ts';

const t = createTranslate(createI18n());

describe('a message as text', () => {
  it('a message as text has all that is known of it, with moments in UTC', () => {
    const text = formatMessage(
      sampleMessage({
        summary: 'codec 8',
        reports: [sampleReport({ speed_kmh: 64 })],
        report_count: 2,
        outcomes: { stored: 2 },
        response_hex: '00000002',
      }),
      t,
    );
    expect(text.split('\n')).toEqual([
      'Received: 2026-11-21T12:00:00.000Z',
      'By: Teltonika, TCP',
      'From: 10.0.0.7',
      'Terminal: 356307042441013',
      'Length: 5 bytes',
      'Decoded as: codec 8',
      'Outcome: 2 stored',
      '',
      'Raw data:',
      '0000  00 0f 33 35  36           ..356',
      '',
      'Position 1 of 2:',
      'Time: 2026-11-21T12:00:00.000Z',
      'Location: 52.500000, 13.400000',
      'Speed: 64 km/h',
      '',
      'Reply sent:',
      '0000  00 00 00 02               ....',
      '',
    ]);
  });

  it('a message as text says what is not known, what was not answered, and what was written over', () => {
    const text = formatMessage(sampleMessage({ address: null, terminal_id: null, masked: true }), t);
    expect(text).toContain('From: unknown address');
    expect(text).toContain('Terminal: unidentified');
    expect(text).toContain('Raw data:\nPossible passwords are masked as 2a.\n0000');
    expect(text).toMatch(/No reply sent\.\n$/);
  });
});

it('a length says how many bytes are shown, when these are not all', () => {
  expect(formatLength({ hex: '00'.repeat(5), size_bytes: 5 }, t)).toBe('5 bytes');
  expect(formatLength({ hex: '00', size_bytes: 1 }, t)).toBe('1 byte');
  expect(formatLength({ hex: '00'.repeat(512), size_bytes: 1_300 }, t)).toBe(
    '1300 bytes, the first 512 are kept',
  );
});
