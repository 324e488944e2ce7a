import { describe, expect, it } from 'vitest';
import { ConfigError, isLoopback, readConfig, usage } from '../../../server/config.ts';

const read = (...args: string[]) => readConfig(['--data', 'D', ...args], {});

describe('the options of a host', () => {
  it('the options of a host are these when only the data folder is named', () => {
    expect(readConfig(['--data', 'D'], {})).toEqual({
      data: 'D',
      host: '127.0.0.1',
      port: 8471,
      intakeHost: null,
      osmandPort: 5055,
      teltonikaPort: 5027,
      wialonPort: 5039,
      jt808Port: 5015,
      jt1078Port: 5016,
      mediaAddress: null,
      jwtTtlS: null,
      timezone: null,
      tlsCert: null,
      tlsKey: null,
      tlsSelf: false,
      allowHosts: [],
      insecureLan: false,
      announce: false,
      apiAccess: 'open',
      logLevel: 'info',
      logFile: null,
    });
  });

  it('the access to the API is open or granted, and nothing else', () => {
    expect(() => read('--api-access', 'closed')).toThrow('--api-access closed is neither open nor granted.');
  });

  it('a host that only this machine reaches cannot be announced to others', () => {
    expect(() => read('--announce')).toThrow('which do not reach 127.0.0.1: give --host');
  });

  it('the options of a host need the data folder', () => {
    expect(() => readConfig([], {})).toThrow(new ConfigError('Which data folder? Start with --data DIR.'));
  });

  it('the options of a host can all be given', () => {
    const args =
      '--port 0 --host 0.0.0.0 --intake-host 0.0.0.0 --osmand-port 1 --teltonika-port 4 --wialon-port 5 --jt808-port 2 --jt1078-port 3 --media-address [2001:db8::5]:7 --jwt-ttl-s 60 --timezone Asia/Almaty';
    const tls =
      '--tls-cert C --tls-key K --allow-host a.lan --allow-host b.lan:8443 --insecure-lan --announce --log-level debug --log-file L --api-access granted';
    expect(read(...args.split(' '), ...tls.split(' '))).toEqual({
      data: 'D',
      host: '0.0.0.0',
      port: 0,
      intakeHost: '0.0.0.0',
      osmandPort: 1,
      teltonikaPort: 4,
      wialonPort: 5,
      jt808Port: 2,
      jt1078Port: 3,
      mediaAddress: { host: '2001:db8::5', port: 7 },
      jwtTtlS: 60,
      timezone: 'Asia/Almaty',
      tlsCert: 'C',
      tlsKey: 'K',
      tlsSelf: false,
      allowHosts: ['a.lan', 'b.lan:8443'],
      insecureLan: true,
      announce: true,
      apiAccess: 'granted',
      logLevel: 'debug',
      logFile: 'L',
    });
  });

  it('the options of a host have an environment variable each, which an argument overrules', () => {
    const environment = {
      FLEETDECK_DATA: 'E',
      FLEETDECK_PORT: '81',
      FLEETDECK_HOST: '127.0.0.2',
      FLEETDECK_INTAKE_HOST: '0.0.0.0',
      FLEETDECK_OSMAND_PORT: '5056',
      FLEETDECK_TELTONIKA_PORT: '5028',
      FLEETDECK_WIALON_PORT: '5040',
      FLEETDECK_JT808_PORT: '5016',
      FLEETDECK_JT1078_PORT: '1079',
      FLEETDECK_MEDIA_ADDRESS: '203.0.113.9:1080',
      FLEETDECK_JWT_TTL_S: '900',
      FLEETDECK_TIMEZONE: 'Europe/Riga',
      FLEETDECK_TLS_CERT: 'C',
      FLEETDECK_TLS_KEY: 'K',
      FLEETDECK_ALLOW_HOST: 'a.lan, b.lan',
      FLEETDECK_INSECURE_LAN: '1',
      FLEETDECK_LOG_LEVEL: 'warn',
      FLEETDECK_LOG_FILE: 'L',
    };
    expect(readConfig([], environment)).toMatchObject({
      data: 'E',
      port: 81,
      host: '127.0.0.2',
      intakeHost: '0.0.0.0',
      osmandPort: 5056,
      teltonikaPort: 5028,
      wialonPort: 5040,
      jt808Port: 5016,
      jt1078Port: 1079,
      mediaAddress: { host: '203.0.113.9', port: 1080 },
      jwtTtlS: 900,
      timezone: 'Europe/Riga',
      tlsCert: 'C',
      tlsKey: 'K',
      allowHosts: ['a.lan', 'b.lan'],
      insecureLan: true,
      logLevel: 'warn',
      logFile: 'L',
    });
    const args = ['--data', 'D', '--port', '82', '--allow-host', 'c.lan', '--timezone', 'UTC'];
    expect(readConfig(args, environment)).toMatchObject({
      data: 'D',
      port: 82,
      allowHosts: ['c.lan'],
      timezone: 'UTC',
    });
  });

  it('the options of a host are left at their defaults by variables that are empty', () => {
    const environment = { FLEETDECK_PORT: '', FLEETDECK_TLS_CERT: '', FLEETDECK_INSECURE_LAN: '' };
    expect(readConfig(['--data', 'D'], environment)).toEqual(readConfig(['--data', 'D'], {}));
  });

  it.each([
    [['--port', '65536'], '--port 65536 is not a whole number from 0 to 65535.'],
    [['--port', '-1'], "Option '--port' argument is ambiguous"],
    [['--port=-1'], '--port -1 is not a whole number from 0 to 65535.'],
    [['--port', '80.5'], '--port 80.5 is not a whole number'],
    [['--port', '0x50'], '--port 0x50 is not a whole number'],
    [['--osmand-port', 'five'], '--osmand-port five is not a whole number'],
    [['--jwt-ttl-s', '0'], '--jwt-ttl-s 0 is not a whole number from 1 to 86400.'],
    [['--jwt-ttl-s', '86401'], '--jwt-ttl-s 86401 is not'],
    [
      ['--media-address', '2001:db8::5'],
      '--media-address 2001:db8::5 has no brackets; it is HOST or HOST:PORT',
    ],
    [['--media-address', '[203.0.113.9]'], '--media-address [203.0.113.9] names no host'],
    [['--media-address', '203.0.113.300'], '--media-address 203.0.113.300 names no host'],
    [['--media-address', 'http://depot.example'], 'names no port from 1 to 65535'],
    [['--media-address', 'depot.example/x'], 'names no host'],
    [['--media-address', ':5016'], 'names no host'],
    [['--media-address', '0.0.0.0'], 'is no address that a terminal could reach'],
    [['--media-address', '[::]:5016'], 'is no address that a terminal could reach'],
    [['--media-address', 'depot.example:'], 'names no port from 1 to 65535'],
    [['--media-address', 'depot.example:0'], 'names no port from 1 to 65535'],
    [['--timezone', 'Mars/Olympus'], '--timezone Mars/Olympus is not a time zone of the IANA list.'],
    [['--nonsense'], '--nonsense'],
    [['stray'], 'stray'],
    [['--insecure-lan=yes'], 'insecure-lan'],
    [['--tls-cert', 'C'], '--tls-cert and --tls-key come together.'],
    [['--tls-key', 'K'], '--tls-cert and --tls-key come together.'],
    [['--tls', 'yes'], '--tls yes is not known; it can be self.'],
    [
      ['--tls', 'self', '--tls-cert', 'C', '--tls-key', 'K'],
      '--tls self and --tls-cert are two certificates: give one of them.',
    ],
    [['--log-level', 'loud'], '--log-level loud is none of error, warn, info, debug.'],
  ])('%j is refused in words', (args, words) => {
    expect(() => read(...args)).toThrow(ConfigError);
    expect(() => read(...args)).toThrow(words);
  });

  it.each(['data', 'host', 'intake-host', 'port', 'timezone', 'tls-cert', 'log-file'])(
    '--%s with nothing behind it is refused: a script has lost its variable',
    (name) => {
      expect(() => readConfig(['--data', 'D', `--${name}`, ''], {})).toThrow(
        new ConfigError(`--${name} is empty.`),
      );
    },
  );

  it.each([
    ['203.0.113.9', { host: '203.0.113.9', port: null }],
    ['depot-1.example:65535', { host: 'depot-1.example', port: 65_535 }],
    ['[2001:db8::5]', { host: '2001:db8::5', port: null }],
  ])('--media-address %s is taken', (text, address) => {
    expect(read('--media-address', text).mediaAddress).toEqual(address);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'depot.lan', '128.0.0.1', '1270.0.0.1'])(
    '--host %s, beyond this machine, needs TLS or --insecure-lan',
    (host) => {
      expect(() => read('--host', host)).toThrow(
        /reaches beyond this machine: give --tls self, or --tls-cert and --tls-key, or --insecure-lan/,
      );
      expect(read('--host', host, '--insecure-lan').host).toBe(host);
      expect(read('--host', host, '--tls-cert', 'C', '--tls-key', 'K').host).toBe(host);
      expect(read('--host', host, '--tls', 'self')).toMatchObject({ host, tlsSelf: true });
      expect(isLoopback(host)).toBe(false);
    },
  );

  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('--host %s stays on this machine', (host) => {
    expect(read('--host', host).host).toBe(host);
  });

  it('the options of a host are listed in the usage', () => {
    for (const name of [
      'data',
      'port',
      'host',
      'intake-host',
      'osmand-port',
      'teltonika-port',
      'wialon-port',
      'jt808-port',
      'jt1078-port',
      'media-address',
      'jwt-ttl-s',
      'timezone',
      'tls',
      'tls-cert',
      'tls-key',
      'allow-host',
      'insecure-lan',
      'log-level',
      'log-file',
    ]) {
      expect(usage).toContain(`--${name} `);
    }
  });
});
