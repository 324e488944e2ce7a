import { useCallback } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useT } from '../../i18n/useT.ts';
import { AddPanel } from '../../resources/AddPanel.tsx';
import { UnknownTerminalsCard } from './unknownTerminals.tsx';
import { useVehicleForm } from './useVehicleForm.ts';
import { VehicleFields } from './VehicleFields.tsx';
import { emptyForm, type VehicleForm } from './vehicleForm.ts';

/** A new vehicle: from an unknown terminal, or by its terminal ID. */
export function NewVehicle({
  groupId,
  onClose,
  onAdded,
}: {
  /** The group that is shown: what is added there belongs to it. */
  groupId: string | null;
  onClose: () => void;
  onAdded: (vehicle: Vehicle) => void;
}) {
  const t = useT();
  const editing = useVehicleForm(null, useNewVehicle(groupId));
  const { name, terminal_id, group_ids } = editing.form;
  return (
    <AddPanel
      title={t('vehicle.add')}
      editing={editing}
      isWhole={name.trim() !== '' && terminal_id.trim() !== ''}
      onClose={onClose}
      onAdded={onAdded}
    >
      <UnknownTerminalsCard groupIds={group_ids} onAdded={onAdded} />
      <div className="manage__section">
        <VehicleFields editing={editing} autoFocus />
      </div>
    </AddPanel>
  );
}

/** What a new vehicle begins with: who is no dealer sees a vehicle only through a group. */
export function useNewVehicle(groupId: string | null): () => VehicleForm {
  const { groups, user } = useAppContext();
  return useCallback((): VehicleForm => {
    const own = user.role === 'dealer' ? [] : [...groups.store.getState().byId.keys()].slice(0, 1);
    return { ...emptyForm, group_ids: groupId === null ? own : [groupId] };
  }, [groups, user, groupId]);
}
