import { packetBytes, imeiBytes, type FakeCodec, type FakeRecord } from '../support/fakeTeltonika.ts';
import { longBody, packetText, type WialonData, type WialonVersion } from '../support/fakeWialon.ts';
import type { Dialect } from './lineSpeaker.ts';
import type { Fix } from './plan.ts';
import { commonOf, withBitTurned } from './terminalClient.ts';

// What a fix is in each protocol; the encoders are those of the tests, which know nothing of the server's decoders.

export function teltonikaRecord({ number, hasFix, sos, ...fix }: Fix): FakeRecord {
  const odometer = Buffer.alloc(4);
  odometer.writeUInt32BE(number);
  const io = { 239: Buffer.of(1), 66: Buffer.of(0x30, 0x39), 16: odometer };
  // Without a fix a terminal says neither speed nor angle, by which it is known.
  const motion = hasFix ? { satellites: 9 } : { satellites: 0, speed_kmh: 0, course_deg: 0 };
  return { ...fix, ...motion, priority: sos ? 2 : 0, io };
}

function wialonData({ number, hasFix, sos, ...fix }: Fix): WialonData {
  return {
    ...fix,
    satellites: hasFix ? 9 : 0,
    params: [
      ['n', 1, number],
      ['SOS', 1, sos ? 1 : 0],
    ],
  };
}

export const teltonikaSaid = (fix: Fix) => ({
  ...commonOf(fix),
  ...(fix.hasFix ? {} : { speed_kmh: 0 }),
  odometer_m: fix.number,
});
export const wialonSaid = (fix: Fix) => ({ ...commonOf(fix), 'attributes.n': fix.number });

/** Before the data: four zeros and their length; behind them the CRC. */
const beforeData = 8;
const behindData = 4;

export function teltonikaOverTcp(imei: string, codec: FakeCodec): Dialect {
  return {
    ...{ kind: `Teltonika over TCP, codec ${codec.toString(16)}`, resolution_ms: 1, parallel: 1 },
    maxFixes: 12,
    portOf: (host) => host.teltonikaPort,
    greeting: { bytes: imeiBytes(imei), lengthOf: () => 1, isThanks: (answer) => answer[0] === 1 },
    message: (fixes) => ({
      bytes: packetBytes(fixes.map(teltonikaRecord), codec),
      lengthOf: () => 4,
      isThanks: (answer) => answer.readUInt32BE() === fixes.length,
    }),
    saidOf: teltonikaSaid,
    damaged: (bytes, dice) => withBitTurned(bytes, beforeData, bytes.length - behindData - 1, dice),
    noise: (dice) => ({ bytes: Buffer.alloc(dice.whole(1, 3), 0xff), lengthOf: null }),
  };
}

const lineLength = (received: Buffer) => received.indexOf('\r\n') + 2;
const lineOrNothing = (received: Buffer) => (received.includes('\r\n') ? lineLength(received) : 0);

export function wialonOverTcp(imei: string, version: WialonVersion): Dialect {
  return {
    ...{ kind: `Wialon IPS ${version} over TCP`, resolution_ms: 1_000, parallel: 1, maxFixes: 15 },
    portOf: (host) => host.wialonPort,
    greeting: {
      bytes: Buffer.from(packetText(version, 'L', version === '2.0' ? `2.0;${imei};NA` : `${imei};NA`)),
      lengthOf: lineOrNothing,
      isThanks: (answer) => answer.toString('latin1') === '#AL#1\r\n',
    },
    message: (fixes) => ({
      bytes: Buffer.from(wialonPacket(version, fixes)),
      lengthOf: lineOrNothing,
      isThanks: (answer) => isWialonThanks(fixes, answer),
    }),
    saidOf: wialonSaid,
    damaged: (bytes, dice) => (version === '2.0' ? wialonDamaged(bytes, dice.whole(1, 9)) : null),
    noise: () => ({ bytes: Buffer.from('#P#\r\n'), lengthOf: lineOrNothing }),
  };
}

export function wialonPacket(version: WialonVersion, fixes: readonly Fix[]): string {
  const bodies = fixes.map((fix) => longBody(wialonData(fix)));
  return packetText(version, bodies.length === 1 ? 'D' : 'B', bodies.join('|'));
}

export function isWialonThanks(fixes: readonly Fix[], answer: Buffer): boolean {
  const [only] = fixes;
  const wanted = fixes.length === 1 ? `#AD#${only?.isHopeless === true ? 10 : 1}` : `#AB#${fixes.length}`;
  return answer.toString('latin1').trim() === wanted;
}

/** One digit of the date is another one: it stays a line. */
export function wialonDamaged(bytes: Uint8Array, by: number): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8');
  const at = text.search(/\d;/);
  const digit = (Number(text[at]) + by) % 10;
  return Buffer.from(`${text.slice(0, at)}${digit}${text.slice(at + 1)}`);
}

export function osmandOverHttp(id: string): Dialect {
  return {
    ...{ kind: 'OsmAnd over HTTP', resolution_ms: 1, parallel: 3, maxFixes: 5 },
    portOf: (host) => Number(new URL(host.intakeUrl).port),
    greeting: null,
    message: (fixes) => ({
      bytes: Buffer.from(osmandRequest(id, fixes)),
      lengthOf: httpLength,
      isThanks: (answer) => answer.toString('latin1').startsWith('HTTP/1.1 200 '),
    }),
    // Not all its forms can say that there is no fix.
    saidOf: (fix) => ({ ...commonOf(fix), valid: true, odometer_m: fix.number }),
    damaged: () => null,
    noise: () => ({ bytes: Buffer.from(request('GET', '/?lat=1&lon=2')), lengthOf: httpLength }),
  };
}

/** One of the forms that trackers use; several fixes have one form only. */
function osmandRequest(id: string, fixes: readonly Fix[]): string {
  const json = (location: unknown) =>
    request('POST', '/', JSON.stringify({ device_id: id, location }), 'application/json');
  const [fix] = fixes;
  if (fix === undefined || fixes.length > 1) return json(fixes.map(osmandLocation));
  const { time_ms, number, lat, lon, altitude_m, speed_kmh, sos } = fix;
  const form = new URLSearchParams({
    ...{ id, timestamp: String(time_ms), lat: String(lat), lon: String(lon), altitude: String(altitude_m) },
    ...{ speed: String(speed_kmh / 1.852), odometer: String(number) },
    ...(sos ? { alarm: 'sos' } : {}),
  }).toString();
  switch (number % 4) {
    case 0:
      return request('GET', `/?${form}`);
    case 1:
      return request('POST', `/?${form}`);
    case 2:
      return request('POST', '/', form, 'application/x-www-form-urlencoded');
    default:
      return json(osmandLocation(fix));
  }
}

function osmandLocation({ time_ms, number, lat, lon, altitude_m, speed_kmh, sos }: Fix): object {
  return {
    timestamp: new Date(time_ms).toISOString(),
    coords: { latitude: lat, longitude: lon, altitude: altitude_m, speed: speed_kmh / 3.6, heading: -1 },
    odometer: number,
    is_moving: true,
    battery: { level: -1, is_charging: false },
    ...(sos ? { event: 'sos' } : {}),
  };
}

export function request(method: string, path: string, body = '', type = '', headers = ''): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: soak',
    ...(headers === '' ? [] : [headers]),
    ...(type === '' ? [] : [`Content-Type: ${type}`]),
    ...(method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');
}

function httpLength(received: Buffer): number {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const length = /^content-length: *(\d+)/im.exec(received.toString('latin1', 0, end));
  return end + 4 + Number(length?.[1] ?? 0);
}
