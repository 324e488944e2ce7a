import { useCallback } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { SidePanel } from '../../resources/SidePanel.tsx';
import { Button } from '../../ui/Button.tsx';
import { Form } from '../../ui/Form.tsx';
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
  const lost = useLostSince() !== null;
  const editing = useVehicleForm(null, useNewVehicle(groupId));
  const { form, faults, sentence, busy, save } = editing;
  const mayAdd = !busy && !lost && form.name.trim() !== '' && form.terminal_id.trim() !== '';
  return (
    <SidePanel label={t('vehicle.add')} title={t('vehicle.add')} onClose={onClose}>
      <Form
        className="manage__body"
        faults={faults}
        hasSaveKey
        onSubmit={() => {
          if (mayAdd) void save().then((added) => added !== null && onAdded(added));
        }}
      >
        <div className="manage__side-body">
          <UnknownTerminalsCard groupIds={form.group_ids} onAdded={onAdded} />
          <div className="manage__section">
            <VehicleFields editing={editing} autoFocus />
          </div>
        </div>
        <div className="manage__foot">
          <span className="fill strong" role="alert">
            {sentence}
          </span>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <Button kind="primary" submits keycap="Ctrl S" disabled={!mayAdd}>
            {t('vehicle.add')}
          </Button>
        </div>
      </Form>
    </SidePanel>
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
