import type { NewProfile, Profile, ProfilePatch } from '../../../server/contract/videoProfiles.ts';

export const CAMERA_KINDS = ['jt1078', 'http', 'simulated'] as const satisfies readonly Profile['kind'][];
export const CAMERA_AUTHS = ['none', 'basic', 'digest', 'bearer'] as const;
type CameraAuth = (typeof CAMERA_AUTHS)[number];
/** `both`: nobody chose one; the small picture first, then the full quality. */
export const CAMERA_STREAMS = ['both', 'sub', 'main'] as const;
export type CameraStream = (typeof CAMERA_STREAMS)[number];

export interface ChannelLine {
  number: string;
  name: string;
}

/** The cameras of a vehicle as they are typed. */
export interface CameraForm {
  kind: Profile['kind'];
  name: string;
  channels: readonly ChannelLine[];
  url: string;
  auth: CameraAuth;
  username: string;
  /** Empty: none for new cameras, the present one for those that are changed. */
  password: string;
  /** How far the recorder's clock is ahead of UTC: +8:00. Empty: as far as the clock of the vehicle's positions. */
  clock: string;
  stream: CameraStream;
}

export type CameraFault = 'channels' | 'url' | 'clock';

/** China's, which the standard prescribes for every terminal (JT/T 808, BCD[6]: "YY-MM-DD-hh-mm-ss, GMT+8"). */
const STANDARD_OFFSET_MIN = 480;

/** @param front what the two usual cameras are called, as the user would */
export const emptyCameraForm = (front: string, cabin: string): CameraForm => ({
  kind: 'jt1078',
  name: '',
  channels: [
    { number: '1', name: front },
    { number: '2', name: cabin },
  ],
  url: '',
  auth: 'none',
  username: '',
  password: '',
  clock: '',
  stream: 'both',
});

/** How far a recorder's clock is ahead of UTC as long as nobody says: as the vehicle's positions are. Minutes. */
export const vehicleOffsetMin = ({ clock_offset_s }: { clock_offset_s: number }): number =>
  STANDARD_OFFSET_MIN + Math.round(clock_offset_s / 60);

export function cameraFormOf(profile: Profile): CameraForm {
  const { kind, name, channels, connection } = profile;
  return {
    kind,
    name: name ?? '',
    channels: channels.map((it) => ({ number: String(it.channel), name: it.name })),
    url: connection.url ?? '',
    auth: connection.auth ?? 'none',
    username: connection.username ?? '',
    password: '',
    clock: connection.utc_offset_min === undefined ? '' : formatOffset(connection.utc_offset_min),
    stream: connection.stream ?? 'both',
  };
}

/** What the form says, or the fields that cannot be so. */
function readForm(
  form: CameraForm,
): { fields: Required<Pick<NewProfile, 'name' | 'channels' | 'connection'>> } | { faults: CameraFault[] } {
  const channels = form.channels.map((it) => ({ channel: Number(it.number), name: it.name.trim() }));
  const isChannel = ({ channel, name }: { channel: number; name: string }) =>
    Number.isInteger(channel) && channel >= 1 && channel <= 255 && name !== '';
  const numbers = new Set(channels.map((it) => it.channel));
  const isClockSaid = form.clock.trim() !== '';
  const offset = isClockSaid ? readOffset(form.clock) : null;
  const faults: CameraFault[] = [];
  if (channels.length === 0 || !channels.every(isChannel) || numbers.size < channels.length)
    faults.push('channels');
  if (form.kind === 'http' && form.url.trim() === '') faults.push('url');
  if (form.kind === 'jt1078' && isClockSaid && offset === null) faults.push('clock');
  if (faults.length > 0) return { faults };
  return {
    fields: {
      name: form.name.trim() === '' ? null : form.name.trim(),
      channels,
      connection: connectionOf(form, offset),
    },
  };
}

function connectionOf(
  form: CameraForm,
  utc_offset_min: number | null,
): NonNullable<NewProfile['connection']> {
  const { kind, auth, username, password, stream } = form;
  switch (kind) {
    case 'simulated':
      return {};
    case 'jt1078':
      return {
        ...(utc_offset_min === null ? {} : { utc_offset_min }),
        ...(stream === 'both' ? {} : { stream }),
      };
    case 'http':
      return {
        url: form.url.trim(),
        auth,
        ...(auth === 'basic' || auth === 'digest' ? { username } : {}),
        ...(auth === 'none' || password === '' ? {} : { password }),
      };
  }
}

export function newCamerasOf(
  form: CameraForm,
  vehicleId: string,
): { profile: NewProfile } | { faults: CameraFault[] } {
  const read = readForm(form);
  if ('faults' in read) return read;
  return { profile: { vehicle_id: vehicleId, kind: form.kind, ...read.fields } };
}

/**
 * What changes cameras to what the form says, to be sent one after the other. A connection is merged field by field, so
 * that of a field that is no longer said the whole connection is put back first.
 */
export function camerasPatchesOf(
  form: CameraForm,
  { connection: before }: Pick<Profile, 'connection'>,
): { patches: readonly [ProfilePatch, ...ProfilePatch[]] } | { faults: CameraFault[] } {
  const read = readForm(form);
  if ('faults' in read) return read;
  const { connection, ...rest } = read.fields;
  const isTakenOut = (['utc_offset_min', 'stream'] as const).some(
    (field) => before[field] !== undefined && !(field in connection),
  );
  if (!isTakenOut) return { patches: [read.fields] };
  const bare: ProfilePatch = { ...rest, connection: null };
  return { patches: Object.keys(connection).length === 0 ? [bare] : [bare, { connection }] };
}

/** 480 is +8:00, -330 is -5:30. */
export function formatOffset(minutes: number): string {
  const of = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${Math.floor(of / 60)}:${String(of % 60).padStart(2, '0')}`;
}

/** Minutes ahead of UTC; takes +8:00, 8, -5:30 and −5:30. Null for what no clock shows. */
export function readOffset(text: string): number | null {
  const found = /^\s*([+\-−]?)(\d{1,2})(?::([0-5]\d))?\s*$/.exec(text);
  if (found === null) return null;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  const signed = found[1] === '-' || found[1] === '−' ? -minutes : minutes;
  return signed >= -720 && signed <= 840 ? signed + 0 : null;
}
