import { describe, expect, it } from 'vitest';
import { cameraPresets } from '../../../server/contract/cameraPresets.ts';
import { httpConnection } from '../../../server/contract/videoProfiles.ts';
import { fillCameraUrl } from '../../../server/video/terminals/cameraUrl.ts';

const fragment = {
  channel: { channel: 2, name: 'front gate' },
  from_ms: Date.UTC(2026, 10, 21, 4, 43, 0, 250),
  to_ms: Date.UTC(2026, 10, 21, 4, 43, 30),
};

describe('the presets of cameras', () => {
  it.each(cameraPresets)(
    '$name is a connection that a profile takes, once the host is filled in',
    ({ url, auth }) => {
      const filled = url.replace('HOST', '192.0.2.7');
      expect(httpConnection.parse({ url: filled, auth })).toEqual({ url: filled, auth });
      expect(fillCameraUrl(filled, fragment).href).not.toMatch(/[{}]|%7B/);
    },
  );

  it('the presets of cameras have ids of their own', () => {
    expect(new Set(cameraPresets.map((it) => it.id)).size).toBe(cameraPresets.length);
  });

  it('the presets of cameras ask Frigate by the name of its camera, in Unix time', () => {
    const frigate = cameraPresets.find((it) => it.id === 'frigate');
    expect(fillCameraUrl(frigate?.url ?? '', fragment).href).toBe(
      'http://host:5000/api/front%20gate/start/1795236180/end/1795236210/clip.mp4',
    );
  });
});

describe('the address of a camera', () => {
  it('the address of a camera may hold no placeholder that is not known', () => {
    expect(httpConnection.safeParse({ url: 'http://host/{channel_name}/{duration_s}' }).success).toBe(true);
    expect(httpConnection.safeParse({ url: 'http://host/{camera}' }).success).toBe(false);
  });

  it('the address of a camera has the local time in winter and in summer', () => {
    const url = 'http://host/?a={from_local}';
    const at = (from_ms: number) =>
      fillCameraUrl(url, { ...fragment, from_ms }, 'Europe/Berlin').searchParams.get('a');
    expect(at(Date.UTC(2026, 0, 1, 23, 30))).toBe('2026-01-02T00:30:00');
    expect(at(Date.UTC(2026, 6, 1, 12))).toBe('2026-07-01T14:00:00');
  });
});
