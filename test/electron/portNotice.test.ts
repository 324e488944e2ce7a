import { expect, it } from 'vitest';
import { portNotice } from '../../electron/host.ts';

const trackers = { who: 'trackers', wanted: null, port: 5055 };
const usual = { console: { port: 8471, insteadOf: null }, intake: [trackers] };

it('the notice of ports says nothing when every port is the usual one', () => {
  expect(portNotice(usual)).toBeNull();
});

it('the notice of ports names the port that is taken and the one in its place', () => {
  const detail = portNotice({ ...usual, console: { port: 8472, insteadOf: 8471 } })?.detail;
  expect(detail).toContain('Port 8471 is in use');
  expect(detail).toContain('at port 8472');
  expect(detail).not.toContain('trackers');
});

it('the notice of ports names all ports at once', () => {
  const detail = portNotice({
    console: { port: 8472, insteadOf: 8471 },
    intake: [
      { who: 'trackers', wanted: 5055, port: 40001 },
      { who: 'JT/T 808 terminals', wanted: 5015, port: 40002 },
    ],
  })?.detail;
  expect(detail).toContain('8472');
  expect(detail).toContain('trackers that send to 5055 do not reach Fleetdeck');
  expect(detail).toContain('40001');
  expect(detail).toContain('JT/T 808 terminals that send to 5015 do not reach Fleetdeck');
  expect(detail).toContain('40002');
});
