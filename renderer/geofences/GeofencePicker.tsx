import { useMemo, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { PickField, type PickFieldProps } from '../ui/PickField.tsx';
import { sortedFences } from './fenceOrder.ts';

/** Many of the visible geofences, found by typing; `single` for one. */
export function GeofencePicker(props: Omit<PickFieldProps, 'items' | 'placeholder'>): ReactNode {
  const { geofences } = useDesk();
  const say = useText();
  const byId = useStore(geofences.store, (state) => state.byId);
  const items = useMemo(
    () => sortedFences(byId.values()).map(({ geozone_id, name }) => ({ id: geozone_id, name, detail: '' })),
    [byId],
  );
  return <PickField {...props} items={items} placeholder={say('fences.find')} />;
}
