import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedact } from '../../../server/app/redact.ts';

const { text, logLine } = createRedact(['hunter2-camera', 'two words of a secret']);
const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${'c2lnbmF0dXJl'.repeat(3)}`;

describe('what a problem report shows of texts', () => {
  it.each([
    ['a JWT', `refused ${jwt} of a program`, 'refused (JWT) of a program'],
    [
      'credentials and path of an address',
      'GET rtsp://admin:p@ss:w@10.0.0.7:554/live?key=1',
      'GET rtsp://10.0.0.7:554/…',
    ],
    [
      'the key in the path of a webhook',
      'POST https://hooks.example/T0/B1/abcDEF',
      'POST https://hooks.example/…',
    ],
    ['the query of a path', 'GET /api/v1/x?jwt=abc&y=2 failed', 'GET /api/v1/x?… failed'],
    ['an email address', 'mail to ann.o+x@depot.example.org failed', 'mail to (email) failed'],
    ['a telephone number', 'SMS to +44 20 7946 0018 failed', 'SMS to (number …18) failed'],
    ['the number of a terminal', 'terminal 356307042441013 left', 'terminal (number …13) left'],
    ['a password by its name', 'smtp password="abc def", port 25', 'smtp password=(redacted), port 25'],
    ['an authorization', 'Authorization: Bearer abc.def', 'Authorization: Bearer (redacted)'],
    ['a long key', `key ${'a1B2'.repeat(8)} refused`, 'key (key) refused'],
    [
      'a known secret',
      'login hunter2-camera refused: two words of a secret',
      'login (redacted) refused: (redacted)',
    ],
  ])('%s is left out', (_what, raw, shown) => {
    expect(text(raw)).toBe(shown);
  });

  it.each([
    '2026-11-24T15:19:25.000Z backup of 2026-11-24 made in 1200 ms',
    'vehicle 0f8fad5b-d9cb-469f-a165-70867728950e at 56.946285, 24.105078',
    'listen EADDRINUSE 127.0.0.1:5027',
    'at open (file:///opt/fleetdeck/dist/app/host.js:1204:17)',
    'tile 12/2310/1255 of 4096 bytes',
  ])('the text "%s" stays as it is', (raw) => {
    expect(text(raw)).toBe(raw);
  });

  it('a line of the log shows its time, its level, its message and the rest without values of secret keys', () => {
    const line = JSON.stringify({
      level: 40,
      time: Date.UTC(2026, 10, 24),
      port: 587,
      smtp: { password: 'abc', host: 'mail.example' },
      tokens: ['x'],
      msg: `refused ${jwt}`,
    });
    expect(logLine(line)).toBe(
      '2026-11-24T00:00:00.000Z warn refused (JWT) {"port":587,"smtp":{"password":"(redacted)","host":"mail.example"},"tokens":"(redacted)"}',
    );
  });

  it('a line that is no JSON is shown as text', () => {
    expect(logLine('{"cut":"pass')).toBe('{"cut":"pass');
    expect(logLine('mail to ann@depot.example')).toBe('mail to (email)');
  });

  it('a known secret is in no text, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(text(`${before} hunter2-camera ${after}`)).not.toContain('hunter2-camera');
        expect(
          logLine(JSON.stringify({ time: 1, msg: before, x: { y: ['hunter2-camera', after] } })),
        ).not.toContain('hunter2-camera');
      }),
      { numRuns: 200 },
    );
  });

  it('a secret that the end of a shown text would cut is left out as well', () => {
    for (const secret of ['hunter2-camera', 'two words of a secret', 'rtsp://admin:hunter9@10.0.0.7/'])
      for (let shown = 1; shown < secret.length; shown++) {
        const raw = `${'- '.repeat(1_000).slice(shown)}${secret} ${'x '.repeat(2_000)}`;
        expect(text(raw), raw.slice(-30)).not.toMatch(/hunt|two|admin/);
      }
  });

  it('a text of any content is shown in no more than its first 2,000 characters', () => {
    for (const part of ['a.', 'a@', '1-', '?', 'eyJ', 'a1', 'x://', '{"'])
      expect(text(part.repeat(500_000)).length).toBeLessThanOrEqual(2_100);
  });
});
