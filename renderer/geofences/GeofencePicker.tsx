import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { MultiSelect, type MultiSelectProps } from '../ui/MultiSelect.tsx';
import type { Geofence } from '../../server/contract/geofences.ts';

/** Many of the visible geofences, found by typing; `single` for one. */
export function GeofencePicker(props: Omit<MultiSelectProps, 'items' | 'placeholder'>): ReactNode {
  const { geofences } = useAppContext();
  const t = useT();
  const byId = useStore(geofences.store, (state) => state.byId);
  const items = useMemo(
    () =>
      sortedGeofences(byId.values()).map(({ geozone_id, name }) => ({ id: geozone_id, name, detail: '' })),
    [byId],
  );
  return <MultiSelect {...props} items={items} placeholder={t('geofences.find')} />;
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** By name, Gate 2 before Gate 10. */
function sortedGeofences(geofences: Iterable<Geofence>): Geofence[] {
  return [...geofences].sort(
    (a, b) => byName.compare(a.name, b.name) || byName.compare(a.geozone_id, b.geozone_id),
  );
}
