import type { ListenerName } from '../../server/contract/intake.ts';
import { writeMessage } from '../../server/telemetry/protocols/jt808/message.ts';

// What connections and datagrams of each protocol begin with.

const imei = '352093081234567';
const json = `{"location":{"timestamp":"2026-11-21T12:00:00Z","coords":{"latitude":56.9,"longitude":24.1}},"device_id":"77"}`;
const jt808 = (id: number, version: number | null = null) =>
  Buffer.from(
    writeMessage(
      { id, serial: 1, phoneBcd: version === null ? '013800138000' : '00000000013800138000', version },
      Buffer.from('013800138000'),
    ),
  );
/** JT/T 1078-2016, table 19: a whole I frame of H.264. */
const mediaPacket = Buffer.concat([
  Buffer.from('3031636481e200010138001380000100', 'hex'),
  Buffer.alloc(12),
  Buffer.from('0004', 'hex'),
  Buffer.from('00000001', 'hex'),
]);

export const firstBytes: Readonly<Record<ListenerName, Readonly<Record<string, Buffer>>>> = {
  teltonika: {
    'the IMEI': Buffer.from(`000f${Buffer.from(imei).toString('hex')}`, 'hex'),
    // From "Codec" of Teltonika's wiki.
    'a packet of codec 8': Buffer.from(
      '000000000000003608010000016b40d8ea30010000000000000000000000000000000105021503010101425e0f01f10000601a014e0000000000000000010000c7cf',
      'hex',
    ),
  },
  wialon: {
    'a login of 1.1': Buffer.from(`#L#${imei};NA\r\n`),
    'a login of 2.0': Buffer.from(`#L#2.0;${imei};NA;BB2B\r\n`),
    'data before a login': Buffer.from('#SD#NA;NA;5654.0;N;02406.0;E;0;0;0;7\r\n'),
    'an empty line and a ping': Buffer.from('\r\n#P#\r\n'),
  },
  jt808: {
    'a registration': jt808(0x0100),
    'an authentication': jt808(0x0102),
    'a position of 2019': jt808(0x0200, 1),
    'a heartbeat': jt808(0x0002),
  },
  jt1078: { 'a media packet': mediaPacket },
  osmand: {
    'a query': Buffer.from(`GET /?id=${imei}&lat=56.9&lon=24.1 HTTP/1.1\r\nHost: depot\r\n\r\n`),
    'a query by POST': Buffer.from(
      `POST /?deviceid=7&lat=56.9&lon=24.1 HTTP/1.1\r\nHost: depot\r\nContent-Length: 0\r\n\r\n`,
    ),
    'a form': Buffer.from(
      `POST / HTTP/1.1\r\nHost: depot\r\nContent-Length: 25\r\n\r\nlat=56.9&lon=24.1&id=7777`,
    ),
    'JSON of a newer client': Buffer.from(
      `POST / HTTP/1.1\r\nHost: depot\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
    ),
  },
};

export const firstDatagrams: Readonly<Partial<Record<ListenerName, Readonly<Record<string, Buffer>>>>> = {
  teltonika: {
    // From "Codec" of Teltonika's wiki, over UDP.
    'a datagram of codec 8': Buffer.from(
      '003dcafe0105000f33353230393330383634303336353508010000016b4f815b30010000000000000000000000000000000103021503010101425dbc000001',
      'hex',
    ),
  },
  wialon: {
    'a datagram of 1.1': Buffer.from(`${imei}#SD#NA;NA;5654.0;N;02406.0;E;0;0;0;7\r\n`),
    'a datagram of 2.0': Buffer.from(`2.0;${imei}#P#\r\n`),
  },
};

/** What comes to ports of terminals and is of none. */
export const firstBytesOfOthers: Readonly<Record<'http' | 'tls' | 'ssh', Buffer>> = {
  http: Buffer.from('GET / HTTP/1.1\r\nHost: depot\r\n\r\n'),
  tls: Buffer.from('16030102000100 01fc0303'.replace(' ', ''), 'hex'),
  ssh: Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'),
};
