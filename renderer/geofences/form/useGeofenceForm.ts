import { useState } from 'react';
import { useStore } from 'zustand';
import { geofenceRoutes, type Geofence, type NewGeofence } from '../../../server/contract/geofences.ts';
import { isProblem } from '../../api/errors.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { faultsOf, sentenceOf, type FieldErrors } from '../../ui/formFaults.ts';
import { endDrawing, startEditing } from '../drawingActions.ts';
import { draftOf } from './geofenceDraft.ts';
import type { GeofenceEdit } from './geofenceEdit.ts';

/** What the form has a field for; faults of anything else are said below it. */
const FIELDS = [
  'name',
  'speed_limit_kmh',
  'hysteresis_m',
  'min_inside_s',
  'min_outside_s',
  'schedule',
  'group_ids',
  'radius_m',
  'width_m',
];
const NUMBERS = ['speed_limit_kmh', 'hysteresis_m', 'min_inside_s', 'min_outside_s'] as const;

export interface GeofenceSaving {
  busy: boolean;
  /** What went wrong with the form as a whole. */
  sentence: string | null;
  faultOf: (field: string) => string | null;
  /** The state of somebody else that stands against saving this; null while nothing does, `gone` when it was deleted. */
  against: Geofence | 'gone' | null;
  save: () => void;
  /** Saves over the state of somebody else. */
  overwrite: () => void;
  saveCopy: () => void;
  remove: () => void;
  /** Goes on from the state of somebody else. */
  takeTheirs: () => void;
}

/** Saves what is in hand, and says what stands against it. */
export function useGeofenceForm(edit: GeofenceEdit): GeofenceSaving {
  const app = useAppContext();
  const t = useT();
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** The state that the server refused this one for, should the stream be slower. */
  const [refusedFor, setRefusedFor] = useState<Geofence | 'gone' | null>(null);
  const base = edit.kind === 'change' ? edit.base : null;
  const known = useStore(app.geofences.store, (state) =>
    base === null ? null : (state.byId.get(base.geozone_id) ?? 'gone'),
  );
  const against = base === null ? null : newest(base, known, refusedFor);

  const attempt = async (act: () => Promise<Geofence | undefined>) => {
    setBusy(true);
    setSentence(null);
    setFaults({});
    try {
      const saved = await act();
      endDrawing(app);
      if (app.navigation.store.getState().place === 'geofences')
        app.view.setState({ geozoneId: saved?.geozone_id ?? null });
    } catch (error) {
      if (base !== null && isProblem(error, 'version_conflict', 'not_found'))
        setRefusedFor(await readAgain(app, base));
      else {
        setFaults(faultsOf(error));
        setSentence(sentenceFor(error, t));
      }
    } finally {
      setBusy(false);
    }
  };
  const drafted = (): NewGeofence | null => {
    const draft = draftOf(edit);
    const wrong = draft === null ? [] : NUMBERS.filter((field) => Number.isNaN(draft[field]));
    setFaults(Object.fromEntries(wrong.map((field) => [field, t('form.not_a_number')])));
    return wrong.length === 0 ? draft : null;
  };
  const change = (from: Geofence) => {
    const draft = drafted();
    if (draft !== null) void attempt(() => app.geofenceActions.change(from, draft));
  };

  return {
    busy,
    sentence,
    against,
    faultOf(field) {
      const path = Object.keys(faults).find((it) => it === field || it.startsWith(`${field}.`));
      return path === undefined ? null : (faults[path] ?? null);
    },
    save() {
      if (base !== null) change(base);
      else {
        const draft = drafted();
        if (draft !== null) void attempt(() => app.geofenceActions.create(draft));
      }
    },
    overwrite() {
      if (against !== null && against !== 'gone') change(against);
    },
    saveCopy() {
      const draft = drafted();
      if (draft === null) return;
      const name = t('geofence.copy_of', { name: draft.name });
      void attempt(() => app.geofenceActions.create({ ...draft, name }));
    },
    remove() {
      if (base === null) return;
      void attempt(async () => {
        await app.geofenceActions.remove(base);
        return undefined;
      });
    },
    takeTheirs() {
      if (against !== null && against !== 'gone') startEditing(app, against);
    },
  };
}

/** The newest state that is not the one which the change was made from. */
function newest(
  base: Geofence,
  known: Geofence | 'gone' | null,
  refusedFor: Geofence | 'gone' | null,
): Geofence | 'gone' | null {
  if (known === 'gone' || refusedFor === 'gone') return 'gone';
  let latest = base;
  for (const it of [known, refusedFor]) if (it !== null && it.version > latest.version) latest = it;
  return latest === base ? null : latest;
}

async function readAgain(app: AppContext, { geozone_id }: Geofence): Promise<Geofence | 'gone' | null> {
  try {
    return await app.api.request(geofenceRoutes.get, { params: { geozone_id } });
  } catch (error) {
    if (isProblem(error, 'not_found')) return 'gone';
    // Out of reach: the next saving says so.
    return null;
  }
}

/** What no field of the form shows. */
function sentenceFor(error: unknown, t: Translate): string | null {
  if (isProblem(error, 'validation_failed') && error.faults.length > 0) {
    const others = error.faults.filter(
      ({ path }) => !FIELDS.some((field) => path === field || path.startsWith(`${field}.`)),
    );
    return others.length === 0 ? null : others.map(({ path, message }) => `${path}: ${message}`).join('; ');
  }
  return sentenceOf(error, t, {
    in_use: isProblem(error) ? t('geofence.in_use', { detail: error.problem.detail }) : '',
  });
}
