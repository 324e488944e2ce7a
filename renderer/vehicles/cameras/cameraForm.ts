import type { NewProfile, Profile, ProfilePatch } from '../../../server/contract/video.ts';

export const CAMERA_KINDS = ['jt1078', 'http', 'simulated'] as const satisfies readonly Profile['kind'][];
export const CAMERA_AUTHS = ['none', 'basic', 'digest', 'bearer'] as const;
type CameraAuth = (typeof CAMERA_AUTHS)[number];
/** `auto`: nobody chose; the small picture where the terminal has both. */
export type CameraStream = 'auto' | 'main' | 'sub';

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
  /** How far the terminal's clock is ahead of UTC: +8:00. */
  clock: string;
  stream: CameraStream;
}

export type CameraFault = 'channels' | 'url' | 'clock';

/** China's, which the standard prescribes for every terminal (JT/T 808, BCD[6]: "YY-MM-DD-hh-mm-ss, GMT+8"). */
const STANDARD_OFFSET_MIN = 480;

export const emptyCameraForm: CameraForm = {
  kind: 'jt1078',
  name: '',
  channels: [
    { number: '1', name: 'Front' },
    { number: '2', name: 'Cabin' },
  ],
  url: '',
  auth: 'none',
  username: '',
  password: '',
  clock: offsetText(STANDARD_OFFSET_MIN),
  stream: 'auto',
};

/** For new cameras of a vehicle; a recorder's clock is as far off as the vehicle's times are known to be. */
export function newCameraForm({ clock_offset_s }: { clock_offset_s: number }): CameraForm {
  return { ...emptyCameraForm, clock: offsetText(STANDARD_OFFSET_MIN + Math.round(clock_offset_s / 60)) };
}

export function cameraFormOf({ kind, name, channels, connection }: Profile): CameraForm {
  return {
    kind,
    name: name ?? '',
    channels: channels.map((it) => ({ number: String(it.channel), name: it.name })),
    url: connection.url ?? '',
    auth: connection.auth ?? 'none',
    username: connection.username ?? '',
    password: '',
    clock: offsetText(connection.utc_offset_min ?? STANDARD_OFFSET_MIN),
    stream: connection.stream ?? 'auto',
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
  const offset = readOffset(form.clock);
  const faults: CameraFault[] = [];
  if (channels.length === 0 || !channels.every(isChannel) || numbers.size < channels.length)
    faults.push('channels');
  if (form.kind === 'http' && form.url.trim() === '') faults.push('url');
  if (form.kind === 'jt1078' && offset === null) faults.push('clock');
  if (faults.length > 0) return { faults };
  return {
    fields: {
      name: form.name.trim() === '' ? null : form.name.trim(),
      channels,
      connection: connectionOf(form, offset ?? STANDARD_OFFSET_MIN),
    },
  };
}

function connectionOf(form: CameraForm, utc_offset_min: number): NonNullable<NewProfile['connection']> {
  const { kind, auth, username, password, stream } = form;
  switch (kind) {
    case 'simulated':
      return {};
    case 'jt1078':
      return { utc_offset_min, ...(stream === 'auto' ? {} : { stream }) };
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

export function camerasPatchOf(form: CameraForm): { patch: ProfilePatch } | { faults: CameraFault[] } {
  const read = readForm(form);
  return 'faults' in read ? read : { patch: read.fields };
}

/** 480 is +8:00, -330 is -5:30. */
export function offsetText(minutes: number): string {
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
