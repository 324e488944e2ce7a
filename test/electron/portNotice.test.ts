import { expect, it } from 'vitest';
import { portNotice } from '../../electron/host.ts';
import { createWords } from '../../electron/language.ts';

const { say } = createWords(() => 'en');

const trackers = { who: 'osmand' as const, wanted: null, port: 5055 };
const usual = { console: { port: 8471, insteadOf: null }, intake: [trackers] };

it('the notice of ports says nothing when every port is the usual one', () => {
  expect(portNotice(say, usual)).toBeNull();
});

it('the notice of ports names the port that is taken and the one in its place', () => {
  const detail = portNotice(say, { ...usual, console: { port: 8472, insteadOf: 8471 } })?.detail;
  expect(detail).toContain('Port 8471 is in use');
  expect(detail).toContain('at port 8472');
  expect(detail).not.toContain('trackers');
});

it('the notice of ports names all ports at once', () => {
  const detail = portNotice(say, {
    console: { port: 8472, insteadOf: 8471 },
    intake: [
      { who: 'osmand', wanted: 5055, port: 40001 },
      { who: 'jt808', wanted: 5015, port: 40002 },
    ],
  })?.detail;
  expect(detail).toContain('8472');
  expect(detail).toContain('trackers that send to 5055 do not reach Fleetdeck');
  expect(detail).toContain('40001');
  expect(detail).toContain('JT/T 808 terminals that send to 5015 do not reach Fleetdeck');
  expect(detail).toContain('40002');
});
