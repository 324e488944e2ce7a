import { causeOf } from '../contract/causeTexts.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { stamps } from '../contract/fields.ts';
import { settingsFields, type Settings, type SettingsFields } from '../contract/settings.ts';
import { ApiError, checkVersion } from '../http/apiError.ts';
import { applyMergePatch } from '../http/mergePatch.ts';
import type { Document } from '../store/documents/Document.ts';
import { namedNow } from '../store/namesOf010.ts';

const settingsRecord = z.object({
  ...settingsFields.shape,
  /** Names this depot, for cookies, JWTs and what a browser keeps. */
  instance_id: z.string(),
  version: stamps.version,
  updated_at: stamps.updated_at,
});
export type SettingsRecord = z.infer<typeof settingsRecord>;

/** What 0.1.0 wrote has other names; the next change writes those of now. */
export const settingsDocument: z.ZodType<SettingsRecord> = z.preprocess(
  (data) => namedNow('settings', data),
  settingsRecord,
);

/** What a start of the host may hold against the stored settings. */
export type Overrides = Partial<Pick<SettingsFields, 'jwt_ttl_s' | 'timezone' | 'intake_open'>>;

export function newSettings(now_ms: number): SettingsRecord {
  return {
    ...settingsFields.parse({}),
    instance_id: randomUUID().slice(0, 8),
    version: 1,
    updated_at: new Date(now_ms).toISOString(),
  };
}

export type SettingsStore = ReturnType<typeof createSettings>;

export function createSettings(
  document: Document<SettingsRecord>,
  overrides: Overrides,
  clock: { now(): number },
  mapsVersion: () => number = () => 1,
) {
  const overridden = Object.keys(overrides);
  let from: Readonly<SettingsRecord> | null = null;
  let current: SettingsFields;
  let shown: Omit<Settings, 'maps_version'>;

  function refresh(): void {
    if (from === document.data) return;
    from = document.data;
    current = { ...document.data, ...overrides };
    const { backup_folder: _, ...rest } = document.data;
    shown = { ...rest, ...overrides, overridden };
  }

  function now(): SettingsFields {
    refresh();
    return current;
  }

  /** As users see them. */
  function present(): Settings {
    refresh();
    return { ...shown, maps_version: mapsVersion() };
  }

  function checkHeld(patch: object): void {
    const blocked = Object.keys(patch).find((key) => overridden.includes(key));
    if (blocked !== undefined)
      throw new ApiError('in_use', causeOf('settings.held_by_option', { setting: blocked }));
  }

  return {
    instanceId: document.data.instance_id,
    /** The numbers that hold now. */
    now,
    present,
    /** What a patch would make of the settings; throws as `patch` does and changes nothing. */
    check(patch: object, ifMatch: number | null): SettingsFields {
      checkHeld(patch);
      return { ...patched(document.data, patch, ifMatch), ...overrides };
    },
    /** Throws 400, 409 for a setting that the command line holds, 412. */
    async patch(patch: object, ifMatch: number | null): Promise<Settings> {
      checkHeld(patch);
      await document.update((draft) => {
        Object.assign(draft, patched(draft, patch, ifMatch), {
          version: draft.version + 1,
          updated_at: new Date(clock.now()).toISOString(),
        });
      });
      return present();
    },
  };
}

function patched(record: SettingsRecord, patch: object, ifMatch: number | null): SettingsFields {
  checkVersion(ifMatch, record.version);
  return applyMergePatch(settingsFields, record, patch);
}
