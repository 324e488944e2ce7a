import { useState } from 'react';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { sentenceOf } from '../../ui/formFaults.ts';
import { Modal } from '../../ui/Modal.tsx';
import { ModalFooter } from '../../ui/ModalFooter.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { archiveVehicle, purgeVehicle, vehicleRights } from './vehicleAdmin.ts';

/** The two ways a vehicle goes: out of service with its data kept, or with all that it recorded. */
export function VehicleRemoval({ vehicle }: { vehicle: Vehicle }) {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const [open, setOpen] = useState<'archive' | 'purge' | null>(null);
  const { isDealer } = vehicleRights(app);
  return (
    <>
      <div className="manage__buttons">
        <Button size="small" disabled={lost} onPress={() => setOpen('archive')}>
          {t('vehicles.archive')}
        </Button>
        {isDealer && (
          <Button size="small" disabled={lost} onPress={() => setOpen('purge')}>
            {t('vehicles.purge')}
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
  const app = useAppContext();
  const t = useT();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const { name, terminal_id } = vehicle;

  const end = async () => {
    setBusy(true);
    setSentence(null);
    try {
      await (purges ? purgeVehicle : archiveVehicle)(app, vehicle);
      // An archived vehicle can be restored; a purged one never comes again.
      app.vehicles[purges ? 'remove' : 'hide']([vehicle.vehicle_id]);
      onClose();
    } catch (error) {
      setBusy(false);
      setSentence(
        sentenceOf(error, t, {
          version_conflict: t('vehicles.end_conflict'),
          not_found: t('vehicles.end_gone'),
        }),
      );
    }
  };

  return (
    <Modal
      title={t(purges ? 'vehicles.purge_title' : 'vehicles.archive_title', { name })}
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
        <p>{t(purges ? 'vehicles.purge_what' : 'vehicles.archive_what', { terminal: terminal_id })}</p>
        {purges && (
          <TextField label={t('vehicles.purge_type', { name })} value={typed} onChange={setTyped} autoFocus />
        )}
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button
            kind="primary"
            submits
            autoFocus={!purges}
            disabled={busy || (purges && typed.trim() !== name.trim())}
          >
            {t(purges ? 'vehicles.purge_do' : 'vehicles.archive_do', { name })}
          </Button>
        </ModalFooter>
      </form>
    </Modal>
  );
}
