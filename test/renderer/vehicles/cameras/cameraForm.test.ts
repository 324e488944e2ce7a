import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newProfile, profilePatch, type Profile } from '../../../../server/contract/videoProfiles.ts';
import {
  cameraFormOf,
  camerasPatchesOf,
  emptyCameraForm,
  newCamerasOf,
  formatOffset,
  readOffset,
  vehicleOffsetMin,
  type CameraForm,
} from '../../../../renderer/vehicles/cameras/cameraForm.ts';
import { cameras } from '../../video/videoHost.ts';

const vehicleId = cameras.vehicle_id;
const made = (form: Partial<CameraForm>) => {
  const read = newCamerasOf({ ...emptyCameraForm('Front', 'Cabin'), ...form }, vehicleId);
  if ('faults' in read) throw new Error(read.faults.join(' '));
  return newProfile.parse(read.profile);
};
const faults = (form: Partial<CameraForm>) => {
  const read = newCamerasOf({ ...emptyCameraForm('Front', 'Cabin'), ...form }, vehicleId);
  return 'faults' in read ? read.faults : [];
};
const patches = (known: Profile, form: Partial<CameraForm>) => {
  const read = camerasPatchesOf({ ...cameraFormOf(known), ...form }, known);
  if ('faults' in read) throw new Error(read.faults.join(' '));
  return read.patches.map((it) => profilePatch.parse(it));
};
const url = 'http://nvr.local/api/{channel}/start/{from_unix}/end/{to_unix}/clip.mp4';

test('an empty form is a terminal of the standard with two channels', () => {
  expect(made({})).toMatchObject({
    kind: 'jt1078',
    vehicle_id: vehicleId,
    name: null,
    channels: [
      { channel: 1, name: 'Front' },
      { channel: 2, name: 'Cabin' },
    ],
    connection: {},
  });
});

test('each kind is given what it needs and nothing else', () => {
  const typed = { url, auth: 'basic', username: 'depot', password: 'secret', stream: 'main' } as const;
  expect(made({ ...typed, kind: 'http' }).connection).toEqual({
    url,
    auth: 'basic',
    username: 'depot',
    password: 'secret',
  });
  expect(made({ ...typed, kind: 'http', auth: 'bearer' }).connection).toEqual({
    url,
    auth: 'bearer',
    password: 'secret',
  });
  expect(made({ ...typed, kind: 'http', auth: 'none' }).connection).toEqual({ url, auth: 'none' });
  expect(made({ ...typed, kind: 'jt1078', clock: '-5:30' }).connection).toEqual({
    utc_offset_min: -330,
    stream: 'main',
  });
  expect(made({ ...typed, kind: 'simulated' }).connection).toEqual({});
});

test('a password that is not typed again is not sent', () => {
  const known = {
    ...cameras,
    kind: 'http' as const,
    connection: { url, auth: 'digest' as const, username: 'depot', has_password: true },
  };
  expect(patches(known, { name: 'Yard' })).toEqual([
    { name: 'Yard', channels: cameras.channels, connection: { url, auth: 'digest', username: 'depot' } },
  ]);
});

test('a cleared field of a recorder is removed from its connection', () => {
  const known = (connection: Profile['connection']) => ({ ...cameras, kind: 'jt1078' as const, connection });
  const rest = { name: null, channels: cameras.channels };
  expect(patches(known({ stream: 'sub' }), { stream: 'main' })).toEqual([
    { ...rest, connection: { stream: 'main' } },
  ]);
  expect(patches(known({ stream: 'sub' }), { stream: 'both' })).toEqual([{ ...rest, connection: null }]);
  expect(patches(known({ stream: 'sub', utc_offset_min: 60 }), { stream: 'both' })).toEqual([
    { ...rest, connection: null },
    { connection: { utc_offset_min: 60 } },
  ]);
  expect(patches(known({ stream: 'sub', utc_offset_min: 60 }), { clock: ' ' })).toEqual([
    { ...rest, connection: null },
    { connection: { stream: 'sub' } },
  ]);
  expect(patches(known({}), { clock: '+1:00' })).toEqual([{ ...rest, connection: { utc_offset_min: 60 } }]);
});

test('a form of known cameras shows their settings', () => {
  const form = cameraFormOf({ ...cameras, kind: 'jt1078', connection: { utc_offset_min: 0, stream: 'sub' } });
  expect(form).toMatchObject({ clock: '+0:00', stream: 'sub', channels: [{ number: '1' }, { number: '2' }] });
});

test('the camera form says which fields cannot be so', () => {
  const line = (number: string, name = 'Front') => ({ number, name });
  expect(faults({ kind: 'http', url: ' ' })).toEqual(['url']);
  expect(faults({ clock: 'noon' })).toEqual(['clock']);
  expect(faults({ kind: 'simulated', clock: 'noon' })).toEqual([]);
  for (const channels of [
    [],
    [line('0')],
    [line('256')],
    [line('1.5')],
    [line('')],
    [line('1', ' ')],
    [line('1'), line('1')],
  ])
    expect(faults({ channels }), JSON.stringify(channels)).toEqual(['channels']);
});

test('an offset is read back as it is written, and an offset that no clock shows is rejected', () => {
  fc.assert(
    fc.property(fc.integer({ min: -720, max: 840 }), (minutes) => {
      expect(readOffset(formatOffset(minutes))).toBe(minutes);
    }),
  );
  expect(readOffset('8')).toBe(480);
  expect(readOffset('−3:00')).toBe(-180);
  for (const text of ['', '+15:00', '-13:00', '8:60', 'UTC']) expect(readOffset(text), text).toBeNull();
});

test('a recorder without a clock of its own has that of the vehicle', () => {
  expect(formatOffset(vehicleOffsetMin({ clock_offset_s: 0 }))).toBe('+8:00');
  expect(formatOffset(vehicleOffsetMin({ clock_offset_s: -28_800 }))).toBe('+0:00');
  expect(cameraFormOf({ ...cameras, kind: 'jt1078', connection: {} })).toMatchObject({
    clock: '',
    stream: 'both',
  });
});
