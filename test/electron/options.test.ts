import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../electron/options.ts';

function read(switches: Record<string, string>, environment: Record<string, string> = {}) {
  return readOptions((name) => switches[name] ?? '', environment);
}

describe('the options of a start', () => {
  it('the options of a start default to those of the headless host', () => {
    expect(read({})).toEqual({
      userFolder: null,
      intakeHost: null,
      osmandPort: 5055,
      teltonikaPort: 5027,
      wialonPort: 5039,
      jt808Port: 5015,
      jt1078Port: 5016,
      mediaAddress: null,
      logLevel: 'info',
      watch: { hungAfterMs: 30_000, pausesMs: [1_000, 5_000, 30_000, 120_000, 300_000] },
    });
  });

  it('the options of a start say when a program is hung and how long the pauses before its restarts are', () => {
    const { watch } = read({ 'hung-after-s': '0', 'restart-pauses-s': '0.5,60' });
    expect(watch).toEqual({ hungAfterMs: 0, pausesMs: [500, 60_000] });
    expect(read({ 'restart-pauses-s': 'never' }).watch.pausesMs).toEqual([]);
    expect(() => read({ 'hung-after-s': '-1' })).toThrow('--hung-after-s -1');
    expect(() => read({}, { FLEETDECK_RESTART_PAUSES_S: '1,,5' })).toThrow('--restart-pauses-s');
  });

  it('the options of a start have the level of the log from the environment alone', () => {
    expect(read({ 'log-level': '0' }, { FLEETDECK_LOG_LEVEL: 'debug' }).logLevel).toBe('debug');
    expect(() => read({}, { FLEETDECK_LOG_LEVEL: 'loud' })).toThrow('--log-level loud');
  });

  it('the options of a start come from the environment', () => {
    const environment = {
      FLEETDECK_USER_DATA_DIR: 'here',
      FLEETDECK_OSMAND_PORT: '0',
      FLEETDECK_JT808_PORT: '0',
    };
    expect(read({}, environment)).toMatchObject({ userFolder: resolve('here'), osmandPort: 0, jt808Port: 0 });
  });

  it('the options of a start come from the command line first', () => {
    const options = read(
      { 'osmand-port': '6000', 'intake-host': '0.0.0.0' },
      { FLEETDECK_OSMAND_PORT: '7000', FLEETDECK_INTAKE_HOST: '10.0.0.1' },
    );
    expect(options).toMatchObject({ osmandPort: 6000, intakeHost: '0.0.0.0' });
  });

  it('the options of a start say where terminals reach the media port from outside', () => {
    const address = { host: 'depot.example', port: 6016 };
    expect(read({ 'media-address': 'depot.example:6016' })).toMatchObject({ mediaAddress: address });
    expect(() => read({ 'media-address': 'http://depot' })).toThrow('--media-address');
  });

  it.each(['-1', '65536', '5 5', 'x', '1e3', '0x50'])(
    'the options of a start refuse %s as a port',
    (port) => {
      expect(() => read({ 'osmand-port': port })).toThrow('--osmand-port');
    },
  );
});
