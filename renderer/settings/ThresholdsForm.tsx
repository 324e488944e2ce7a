import { type ReactNode, useId } from 'react';
import {
  serviceRoutes,
  tripThresholds,
  type Settings,
  type SettingsFields,
} from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { keptFromForm, shownInForm } from '../format/units.ts';
import type { TextKey } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { useResourceForm } from '../resources/useResourceForm.ts';
import { Form } from '../ui/Form.tsx';
import { TextField } from '../ui/TextField.tsx';
import { sendSettings } from './changeSettings.ts';
import { SaveSettings } from './SaveSettings.tsx';

type NumberName = {
  [K in keyof SettingsFields]: SettingsFields[K] extends number ? K : never;
}[keyof SettingsFields];

/** The numbers of the depot, in the order in which they are shown; each is typed in the unit that its label names. */
export const thresholdGroups = {
  status: ['offline_s', 'settling_s', 'moving_speed_kmh', 'idle_speed_kmh', 'idle_s'],
  late: ['late_after_s', 'max_future_s'],
  speed: ['overspeed_tolerance_kmh', 'overspeed_min_duration_s', 'overspeed_clear_s', 'overspeed_gap_s'],
  geofences: ['dwell_s', 'silent_s', 'crossing_max_gap_s'],
  trips: tripThresholds,
  driving: [
    'harsh_acceleration_ms2',
    'harsh_braking_ms2',
    'harsh_cornering_ms2',
    'harsh_gap_s',
    'low_battery_pct',
    'low_battery_clear_pct',
  ],
  video: [
    'video_before_s',
    'video_after_s',
    'video_max_s',
    'video_max_downloads',
    'camera_timeout_s',
    'camera_max_bytes',
    'video_min_free_pct',
  ],
  intake: ['intake_connections', 'intake_connections_per_address', 'intake_idle_s'],
  keeping: [
    'positions_retention_days',
    'events_retention_days',
    'audit_retention_days',
    'quiet_hours',
    'video_retention_days',
    'video_quota_bytes',
    'online_maps_cache_bytes',
    'session_days',
  ],
} as const satisfies Record<string, readonly NumberName[]>;

const GROUPS = Object.keys(thresholdGroups) as NumberGroup[];
const NAMES = GROUPS.flatMap((group): readonly DepotNumber[] => thresholdGroups[group]);
type NumberForm = Readonly<Record<DepotNumber, string>>;
const numbersOf = (settings: Settings | null) =>
  Object.fromEntries(
    NAMES.map((name) => [name, settings === null ? '' : formatNumber(name, settings)]),
  ) as NumberForm;
/** What the labels of a group cannot say. */
const ABOUT: Partial<Record<NumberGroup, TextKey>> = { intake: 'numbers.intake_about' };

/** The thresholds by which events are detected: each with its unit, all saved at once. */
export function ThresholdsForm({ settings }: { settings: Settings }) {
  const app = useAppContext();
  const t = useT();
  const { form, change, faults, sentence, busy, isDirty, save } = useResourceForm<Settings, NumberForm>({
    item: settings,
    formOf: numbersOf,
    requestOf: (typed, base) => {
      const known = base ?? settings;
      const { patch, wrong } = readNumbers(typed, known);
      if (wrong.length > 0)
        return { faults: Object.fromEntries(wrong.map((name) => [name, t('form.not_a_number')])) };
      if (Object.keys(patch).length === 0) return null;
      return {
        schema: serviceRoutes.patchSettings.body,
        body: patch,
        send: () => sendSettings(app, known, patch),
      };
    },
    fields: NAMES,
    texts: { version_conflict: t('numbers.conflict') },
  });

  return (
    <Form
      className="numbers"
      faults={faults}
      // What others changed meanwhile stays, but for the numbers that are typed here.
      onSubmit={() => void save(true)}
    >
      {GROUPS.map((group) => (
        <NumberFields key={group} group={group}>
          {thresholdGroups[group].map((name) => (
            <TextField
              key={name}
              label={t(`numbers.${name}`)}
              numeric
              value={form[name]}
              onChange={(text) => change({ [name]: text })}
              fault={faults[name] ?? null}
              maxLength={12}
            />
          ))}
        </NumberFields>
      ))}
      <SaveSettings sentence={sentence} disabled={busy || !isDirty} />
    </Form>
  );
}

function NumberFields({ group, children }: { group: NumberGroup; children: ReactNode }) {
  const t = useT();
  const about = ABOUT[group];
  const aboutId = useId();
  return (
    <fieldset className="numbers__group" {...(about === undefined ? {} : { 'aria-describedby': aboutId })}>
      <legend className="strong">{t(`numbers.group.${group}`)}</legend>
      {about !== undefined && (
        <p id={aboutId} className="quiet small">
          {t(about)}
        </p>
      )}
      <div className="numbers__fields">{children}</div>
    </fieldset>
  );
}

type NumberGroup = keyof typeof thresholdGroups;
type DepotNumber = (typeof thresholdGroups)[NumberGroup][number];

/** Those that are typed in another unit than they are kept in: how many of theirs make one. */
const unitSizes: Partial<Record<DepotNumber, number>> = {
  camera_max_bytes: 1e9,
  camera_timeout_s: 60,
  online_maps_cache_bytes: 1e9,
  video_quota_bytes: 1e9,
};

/** A number as the form shows it. */
export function formatNumber(name: DepotNumber, settings: Pick<Settings, DepotNumber>): string {
  return shownInForm(name, settings[name] / (unitSizes[name] ?? 1));
}

type TypedNumbers = Readonly<Partial<Record<DepotNumber, string>>>;

/** What was typed, as a patch; the names of the fields that hold no number. */
export function readNumbers(
  typed: TypedNumbers,
  settings: Pick<Settings, DepotNumber>,
): { patch: Partial<Record<DepotNumber, number>>; wrong: DepotNumber[] } {
  const patch: Partial<Record<DepotNumber, number>> = {};
  const wrong: DepotNumber[] = [];
  for (const name of Object.values(thresholdGroups).flat()) {
    const text = typed[name];
    if (text === undefined) continue;
    const size = unitSizes[name];
    const number = Number(text.trim().replace(',', '.'));
    const value = size === undefined ? keptFromForm(name, number, settings[name]) : Math.round(number * size);
    if (text.trim() === '' || !Number.isFinite(number)) wrong.push(name);
    else if (value !== settings[name]) patch[name] = value;
  }
  return { patch, wrong };
}
