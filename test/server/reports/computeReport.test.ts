import { expect, test } from 'vitest';
import { encodeReport } from '../../../server/reports/computeReport.ts';

test('a report is handed over as bytes, and one of more bytes than an answer holds is refused', () => {
  const text = 'sum\r\nÄ\r\n';
  expect(encodeReport({ kind: 'csv', text, slots: [] }, 9)).toEqual({
    kind: 'bytes',
    bytes: new Uint8Array(Buffer.from(text)),
    slots: [],
  });
  expect(encodeReport({ kind: 'csv', text, slots: [] }, 8)).toEqual({ kind: 'too_long', max: '8 bytes' });
  expect(encodeReport({ kind: 'too_long', max: 5 })).toEqual({ kind: 'too_long', max: '5 rows' });
});
