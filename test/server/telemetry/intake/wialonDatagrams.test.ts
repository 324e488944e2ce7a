import { describe, expect, test } from 'vitest';
import type { TerminalReport } from '../../../../server/telemetry/terminalReport.ts';
import { longBody, packetText, shortBody } from '../../../support/fakeWialon.ts';
import { at_ms, fix, imei, later, openWialonTestListener } from './wialonTestListener.ts';

describe('datagrams', () => {
  test('datagrams say whose they are, and need no login', async () => {
    const listener = await openWialonTestListener();
    const sender = await listener.udp();
    expect(await sender.ask(`${imei}#SD#${shortBody(fix)}\r\n`)).toBe('#ASD#1\r\n');
    expect(await sender.ask(`2.0;${imei}${packetText('2.0', 'D', longBody(later(1)))}`)).toBe('#AD#1\r\n');
    expect(await sender.ask(`2.0;${imei}#D#${longBody(later(1))};1\r\n`)).toBe('#AD#16\r\n');
    expect(await sender.ask(`${imei}#P#\r\n`)).toBe('#AP#\r\n');
    expect(await sender.ask(`#L#${imei};NA\r\n`)).toBe('#AL#1\r\n');
    expect(listener.taken).toHaveLength(2);
  });

  test('datagrams without an ID, of unknown terminals and of another protocol are not answered', async () => {
    const listener = await openWialonTestListener((report) =>
      report.time_ms === at_ms
        ? { status: 'failed', code: 'unavailable', detail: 'The store failed.' }
        : { status: 'stored' },
    );
    const sender = await listener.udp();
    sender.send(`#SD#${shortBody(fix)}\r\n`);
    sender.send(`77#SD#${shortBody(fix)}\r\n`);
    sender.send('77#P#\r\n');
    sender.send('77#SD#x\r\n');
    sender.send('77#B#\r\n');
    sender.send(`2.0;77#D#${longBody(fix)};1\r\n`);
    sender.send('77#M# \r\n');
    sender.send('hello');
    sender.send(`${imei}#SD#${shortBody(fix)}\r\n`);
    expect(await sender.ask(`${imei}#SD#${shortBody(later(1))}\r\n`)).toBe('#ASD#1\r\n');
    const idOf = (it: TerminalReport) => it.terminal_id;
    expect(listener.taken.map(idOf)).toEqual(['77', '77', '77', imei, imei]);
    expect(listener.listener.rejections().protocol_mismatch).toBe(1);
  });

  test('datagrams may hold several packets, which are answered in their order, up to one that cannot be stored', async () => {
    const listener = await openWialonTestListener((report) =>
      report.time_ms === at_ms
        ? { status: 'failed', code: 'unavailable', detail: 'The store failed.' }
        : { status: 'stored' },
    );
    const sender = await listener.udp();
    const data = (moment: number) => packetText('1.1', 'SD', shortBody(later(moment)));
    expect(await sender.ask(`${imei}${data(1)}${data(2)}\r\n${imei}#P#`)).toBe(
      '#ASD#1\r\n#ASD#1\r\n#AP#\r\n',
    );
    expect(await sender.ask(`${imei}${data(3)}${data(0)}${data(4)}`)).toBe('#ASD#1\r\n');
    expect(listener.taken.map((it) => it.time_ms)).toEqual([1, 2, 3, 0].map((it) => at_ms + it * 1_000));
    const many = await sender.ask(`${imei}${'#P#\r\n'.repeat(1_000)}`);
    expect(many).toBe('#AP#\r\n'.repeat(64));
  });
});
