import { describe, expect, it } from 'vitest';
import { eventKind, type EventDetails } from '../../../../server/contract/events.ts';
import { formatAlarm, formatDuration } from '../../../../server/notifications/channels/formatAlarm.ts';
import { htmlOf, subjectOf, textOf } from '../../../../server/notifications/channels/email.ts';
import { noDetails } from '../rows.ts';
import { placeCalled } from '../../../support/namedPlaces.ts';
import { messageOf } from './rows.ts';

const text = (
  event_kind: Parameters<typeof formatAlarm>[0]['event_kind'],
  details: Partial<EventDetails> = {},
) => formatAlarm({ event_kind, details: { ...noDetails, ...details } }, 'Quay 3');

describe('an alarm in words', () => {
  it('an alarm in words says what was measured and what is allowed', () => {
    expect(text('overspeed', { measured: 94.2, threshold: 60, unit: 'km/h' })).toBe(
      'Overspeed, 94 km/h, limit 60',
    );
    expect(text('harsh_braking', { measured: -4.25, threshold: -3.5, unit: 'm/s²' })).toBe(
      'Harsh braking, 4.3 m/s², limit 3.5',
    );
    expect(text('low_battery', { measured: 18, threshold: 20, unit: '%' })).toBe(
      'Low battery, 18 %, below 20 %',
    );
    expect(text('idling', { duration_s: 400, threshold: 300, unit: 's' })).toBe(
      'Idling for 6 min 40 s, limit 5 min',
    );
    expect(text('geofence_dwell', { measured: 1_500, threshold: 1_200, unit: 's' })).toBe(
      'In Quay 3, for 25 min, limit 20 min',
    );
    expect(text('geofence_enter')).toBe('Entered Quay 3');
    expect(text('geofence_exit', { duration_s: 3_900 })).toBe('Left Quay 3 after 1 h 5 min');
    expect(text('terminal_alarm', { alarm: 'fuel_theft' })).toBe('Terminal alarm: fuel theft');
  });

  it('an alarm in words has words for every kind, also where nothing was measured', () => {
    for (const kind of eventKind.options) expect(text(kind)).toMatch(/^[A-Z][^,]*$/);
  });

  it('an alarm in words names a period by its greatest units', () => {
    const spans = [0, 0.4, 59.6, 90, 3_600, 3_665, 86_400, 90_000, 200_000];
    expect(spans.map((span_s) => formatDuration(span_s))).toEqual([
      '0 s',
      '0 s',
      '1 min',
      '1 min 30 s',
      '1 h',
      '1 h 1 min',
      '1 d',
      '1 d 1 h',
      '2 d 7 h',
    ]);
  });
});

describe('a mail', () => {
  it('a mail says in its subject how bad it is, which vehicle, and what', () => {
    expect(subjectOf(messageOf())).toBe('[alarm] V 17: Overspeed, 94 km/h, limit 60');
    const { notification } = messageOf();
    const late = messageOf({ notification: notification === null ? null : { ...notification, late: true } });
    expect(subjectOf(late)).toBe('[alarm] V 17: Overspeed, 94 km/h, limit 60 (late)');
    expect(textOf(late)).toContain('Late: ');
    expect(subjectOf(messageOf({ type: 'test', notification: null, text: 'Test of the rule A' }))).toBe(
      '[test] Test of the rule A',
    );
  });

  it('a mail keeps its subject to one line of bounded length, whatever names hold', () => {
    const subject = subjectOf(messageOf({ text: `V\r\nBcc: all@example.org\u0000\u2028${'x'.repeat(500)}` }));
    expect(subject).toMatch(/^\[alarm\] V Bcc: all@example\.org x+$/);
    expect(subject).toHaveLength(200);
  });

  it('a mail gives times as the depot’s clock shows them, with the name of the zone', () => {
    expect(textOf(messageOf())).toContain('Time: 1 Jul 2026, 06:43:00 (Europe/Berlin)');
    expect(textOf(messageOf({ timezone: 'Asia/Kolkata' }))).toContain('1 Jul 2026, 10:13:00 (Asia/Kolkata)');
  });

  it('a mail names the location by its address where one is known, and by its coordinates', () => {
    expect(textOf(messageOf())).toContain('Location: 52.50000, 13.40000\n');
    const place = placeCalled('Elm Street 12, Elmswell');
    const more = { time: '2026-07-01T04:43:00Z', text: 'V 18: SOS', rule: 'SOS' };
    const message = messageOf({
      place,
      more: { count: 2, listed: [{ ...more, place: 'Oak Lane' }, { ...more, place: null }] }, // prettier-ignore
    });
    expect(textOf(message)).toContain('Location: Elm Street 12, Elmswell (52.50000, 13.40000)\n');
    expect(textOf(message)).toContain('(Europe/Berlin): V 18: SOS, Oak Lane (SOS)\n');
    expect(textOf(message)).toContain('(Europe/Berlin): V 18: SOS (SOS)\n');
    expect(htmlOf(message)).toContain('<td>Elm Street 12, Elmswell (52.50000, 13.40000)</td>');
  });

  it('a mail shows names as text, and fetches nothing from elsewhere', () => {
    const html = htmlOf(messageOf({ text: '<img src="https://x.example/">&', depot: "<b>'" }));
    expect(html).toContain('&lt;img src=&quot;https://x.example/&quot;&gt;&amp;');
    expect(html).not.toMatch(/<(img|link|script|a)\b|url\(|<b>/);
  });
});
