import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { PickField, type PickFieldProps } from '../ui/PickField.tsx';
import { sortedByName } from './listOrder.ts';

export type VehiclePickerProps = Omit<PickFieldProps, 'items' | 'placeholder'>;

/** One or many of the visible vehicles, found by typing a part of the name, plate or terminal ID. */
export function VehiclePicker(props: VehiclePickerProps) {
  const { vehicles } = useDesk();
  const say = useText();
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
  return <PickField {...props} items={items} placeholder={say('vehicles.find')} />;
}
