import { useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useLostSince } from '../../desk/useMoment.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Modal } from '../../ui/Modal.tsx';
import { ModalFoot } from '../../ui/ModalFoot.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { archiveVehicle, purgeVehicle, vehicleRights } from './vehicleAdmin.ts';

/** The two ways a vehicle goes: out of service with its data kept, or with all that it recorded. */
export function VehicleEnd({ vehicle }: { vehicle: Vehicle }) {
  const desk = useDesk();
  const say = useText();
  const lost = useLostSince() !== null;
  const [open, setOpen] = useState<'archive' | 'purge' | null>(null);
  const { isDealer } = vehicleRights(desk);
  return (
    <>
      <div className="manage__buttons">
        <Button size="small" disabled={lost} onPress={() => setOpen('archive')}>
          {say('vehicles.archive')}
        </Button>
        {isDealer && (
          <Button size="small" disabled={lost} onPress={() => setOpen('purge')}>
            {say('vehicles.purge')}
          </Button>
        )}
      </div>
      {open !== null && (
        <EndDialog vehicle={vehicle} purges={open === 'purge'} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

function EndDialog({ vehicle, purges, onClose }: { vehicle: Vehicle; purges: boolean; onClose: () => void }) {
  const desk = useDesk();
  const say = useText();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const { name, terminal_id } = vehicle;

  const end = async () => {
    setBusy(true);
    setSentence(null);
    try {
      await (purges ? purgeVehicle : archiveVehicle)(desk, vehicle);
      desk.vehicles.remove([vehicle.vehicle_id]);
      onClose();
    } catch (error) {
      setBusy(false);
      setSentence(
        sentenceOf(error, say, {
          version_conflict: say('vehicles.end_conflict'),
          not_found: say('vehicles.end_gone'),
        }),
      );
    }
  };

  return (
    <Modal
      title={say(purges ? 'vehicles.purge_title' : 'vehicles.archive_title', { name })}
      onClose={onClose}
      width={520}
    >
      <form
        className="form-column"
        onSubmit={(event) => {
          event.preventDefault();
          void end();
        }}
      >
        <p>{say(purges ? 'vehicles.purge_what' : 'vehicles.archive_what', { terminal: terminal_id })}</p>
        {purges && (
          <TextField
            label={say('vehicles.purge_type', { name })}
            value={typed}
            onChange={setTyped}
            autoFocus
          />
        )}
        <ModalFoot sentence={sentence} onCancel={onClose}>
          <Button
            kind="primary"
            submits
            autoFocus={!purges}
            disabled={busy || (purges && typed.trim() !== name.trim())}
          >
            {say(purges ? 'vehicles.purge_do' : 'vehicles.archive_do', { name })}
          </Button>
        </ModalFoot>
      </form>
    </Modal>
  );
}
