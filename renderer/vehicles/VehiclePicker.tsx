import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { MultiSelect, type MultiSelectProps } from '../ui/MultiSelect.tsx';
import { sortedByName } from './listOrder.ts';

export type VehiclePickerProps = Omit<MultiSelectProps, 'items'>;

/** One or many of the visible vehicles, found by typing a part of the name, plate or terminal ID. */
export function VehiclePicker(props: VehiclePickerProps) {
  const { vehicles } = useAppContext();
  const t = useT();
  const byId = useStore(vehicles.store, (state) => state.byId);
  const items = useMemo(
    () =>
      sortedByName(byId.values()).map(({ vehicle_id, name, plate, terminal_id }) => ({
        id: vehicle_id,
        name,
        detail: plate === null ? terminal_id : `${plate}, ${terminal_id}`,
      })),
    [byId],
  );
  return <MultiSelect placeholder={t('vehicles.find')} {...props} items={items} />;
}
