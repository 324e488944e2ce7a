import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { showVehicle } from '../live/liveActions.ts';
import { ConflictNotice } from '../resources/ConflictNotice.tsx';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { Modal } from '../ui/Modal.tsx';
import { ModalFooter } from '../ui/ModalFooter.tsx';
import { useNewVehicle } from './manage/NewVehicle.tsx';
import { useVehicleForm } from './manage/useVehicleForm.ts';
import { VehicleFields } from './manage/VehicleFields.tsx';
import { formOf } from './manage/vehicleForm.ts';

/** A vehicle's profile: a new one by its terminal ID, or an existing one to be changed. */
export function VehicleDialog({ vehicle, onClose }: { vehicle: Vehicle | null; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const fresh = useNewVehicle(null);
  const editing = useVehicleForm(vehicle, vehicle === null ? fresh : formOf);
  const { form, faults, sentence, busy, isBehind } = editing;
  const save = async (overTheirs = false) => {
    const saved = await editing.save(overTheirs);
    if (saved === null) return;
    onClose();
    if (vehicle === null) showVehicle(app, saved.vehicle_id);
  };
  return (
    <Modal
      title={vehicle === null ? t('vehicle.add') : t('vehicle.edit', { name: vehicle.name })}
      onClose={onClose}
      width={520}
    >
      {isBehind && vehicle !== null && (
        <ConflictNotice
          what={t('conflict.vehicle')}
          changedAt={vehicle.updated_at}
          busy={busy}
          onTake={editing.reset}
          onOverwrite={() => void save(true)}
        />
      )}
      <Form faults={faults} onSubmit={() => void save()}>
        <VehicleFields editing={editing} brief autoFocus />
        <ModalFooter sentence={isBehind ? null : sentence} onCancel={onClose}>
          <Button
            kind="primary"
            submits
            disabled={busy || isBehind || form.name.trim() === '' || form.terminal_id.trim() === ''}
          >
            {vehicle === null ? t('vehicle.add') : t('ui.save')}
          </Button>
        </ModalFooter>
      </Form>
    </Modal>
  );
}
