import { useState } from 'react';
import { useStore } from 'zustand';
import { geofenceRoutes, type Geofence, type NewGeofence } from '../../../server/contract/geofences.ts';
import { isProblem } from '../../api/errors.ts';
import type { AppContext } from '../../appContext/appContext.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { useAction } from '../../resources/useAction.ts';
import { deleteGeofence } from '../deleteGeofence.ts';
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

/** Saves what is in hand, and says what stands against it. */
export function useGeofenceForm(edit: GeofenceEdit) {
  const app = useAppContext();
  const t = useT();
  const { busy, sentence, faults, run, show } = useAction();
  /** The state that the server refused this one for, should the stream be slower. */
  const [refusedFor, setRefusedFor] = useState<Geofence | 'gone' | null>(null);
  const base = edit.kind === 'change' ? edit.base : null;
  const known = useStore(app.geofences.store, (state) =>
    base === null ? null : (state.byId.get(base.geozone_id) ?? 'gone'),
  );
  /** The state of somebody else that stands against saving this; null while nothing does, `gone` when it was deleted. */
  const against = base === null ? null : newest(base, known, refusedFor);

  const attempt = (act: () => Promise<Geofence | undefined>) =>
    void run(
      async () => {
        const saved = await act();
        endDrawing(app);
        if (app.navigation.store.getState().place === 'geofences')
          app.view.setState({ geozoneId: saved?.geozone_id ?? null });
      },
      {
        fields: FIELDS,
        texts: { in_use: (detail) => t('geofence.in_use', { detail }) },
        onFailure: async (error) => {
          if (base !== null && isProblem(error, 'version_conflict', 'not_found'))
            setRefusedFor(await readAgain(app, base));
        },
      },
    );
  /** What is saved, once it can be. */
  const drafted = (): NewGeofence | null => {
    const draft = draftOf(edit);
    const wrong = draft === null ? [] : NUMBERS.filter((field) => Number.isNaN(draft[field]));
    show({ faults: Object.fromEntries(wrong.map((field) => [field, t('form.not_a_number')])) });
    return wrong.length === 0 ? draft : null;
  };
  const change = (from: Geofence) => {
    const draft = drafted();
    if (draft !== null) attempt(() => app.geofenceActions.change(from, draft));
  };

  return {
    busy,
    // Of a conflict its notice says more.
    sentence: against === null ? sentence : null,
    faults,
    against,
    faultOf: (field: string): string | null => faults[field] ?? null,
    save: () => {
      if (base !== null) change(base);
      else {
        const draft = drafted();
        if (draft !== null) attempt(() => app.geofenceActions.create(draft));
      }
    },
    /** Saves over the state of somebody else. */
    overwrite: () => {
      if (against !== null && against !== 'gone') change(against);
    },
    saveCopy: () => {
      const draft = drafted();
      if (draft === null) return;
      const name = t('geofence.copy_of', { name: draft.name });
      attempt(() => app.geofenceActions.create({ ...draft, name }));
    },
    remove: () => {
      if (base === null) return;
      attempt(async () => {
        await deleteGeofence(app, base);
        return undefined;
      });
    },
    /** Goes on from the state of somebody else. */
    takeTheirs: () => {
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
