import { useState, type SyntheticEvent } from 'react';
import { vehicleType, type Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { showVehicle } from '../live/liveActions.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Select.tsx';
import { faultsOf, sentenceOf, type FieldErrors } from '../ui/formFaults.ts';
import { Modal } from '../ui/Modal.tsx';
import { ModalFooter } from '../ui/ModalFooter.tsx';
import { TextField } from '../ui/TextField.tsx';

const NO_TYPE = 'none';
const types = [NO_TYPE, ...vehicleType.options] as const;

/** A vehicle's profile: a new one by its terminal ID, or an existing one to be changed. */
export function VehicleDialog({ vehicle, onClose }: { vehicle: Vehicle | null; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const [terminalId, setTerminalId] = useState(vehicle?.terminal_id ?? '');
  const [name, setName] = useState(vehicle?.name ?? '');
  const [plate, setPlate] = useState(vehicle?.plate ?? '');
  const [type, setType] = useState<(typeof types)[number]>(vehicle?.type ?? NO_TYPE);
  const [driver, setDriver] = useState(vehicle?.driver ?? '');
  const [phone, setPhone] = useState(vehicle?.phone ?? '');
  const [limit, setLimit] = useState(vehicle?.speed_limit_kmh?.toString() ?? '');
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const save = async () => {
    const limitKmh = limit.trim() === '' ? null : Number(limit.replace(',', '.'));
    if (limitKmh !== null && !Number.isFinite(limitKmh)) {
      setFaults({ speed_limit_kmh: t('form.not_a_number') });
      return;
    }
    setBusy(true);
    setSentence(null);
    try {
      const fields = {
        name: name.trim(),
        plate: emptyAsNull(plate),
        type: type === NO_TYPE ? null : type,
        driver: emptyAsNull(driver),
        phone: emptyAsNull(phone),
        speed_limit_kmh: limitKmh,
      };
      const saved =
        vehicle === null
          ? await app.vehicleActions.create({ terminal_id: terminalId.trim(), ...fields })
          : await app.vehicleActions.change(vehicle, fields);
      onClose();
      if (vehicle === null) showVehicle(app, saved.vehicle_id);
    } catch (error) {
      setFaults(faultsOf(error));
      setSentence(
        sentenceOf(error, t, {
          already_exists: t('vehicle.exists'),
          version_conflict: t('vehicle.conflict'),
        }),
      );
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      title={vehicle === null ? t('vehicle.add') : t('vehicle.edit', { name: vehicle.name })}
      onClose={onClose}
      width={520}
    >
      <form
        className="form-grid"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void save();
        }}
      >
        {vehicle === null && (
          <TextField
            label={t('vehicle.terminal_id')}
            hint={t('vehicle.terminal_id_hint')}
            value={terminalId}
            onChange={setTerminalId}
            fault={faults['terminal_id'] ?? null}
            required
            autoFocus
            maxLength={32}
          />
        )}
        <TextField
          label={t('vehicle.name')}
          value={name}
          onChange={setName}
          fault={faults['name'] ?? null}
          required
          autoFocus={vehicle !== null}
          maxLength={120}
        />
        <TextField
          label={t('vehicle.plate')}
          value={plate}
          onChange={setPlate}
          fault={faults['plate'] ?? null}
          maxLength={20}
        />
        <Choice
          label={t('vehicle.type')}
          value={type}
          onChange={setType}
          options={types.map((id) => ({
            id,
            label: id === NO_TYPE ? t('vehicle.type.none') : t(`vehicle.type.${id}`),
          }))}
        />
        <TextField
          label={t('vehicle.driver')}
          value={driver}
          onChange={setDriver}
          fault={faults['driver'] ?? null}
          maxLength={120}
        />
        <TextField
          label={t('vehicle.phone')}
          type="tel"
          value={phone}
          onChange={setPhone}
          fault={faults['phone'] ?? null}
          maxLength={40}
        />
        <TextField
          label={t('vehicle.speed_limit')}
          numeric
          value={limit}
          onChange={setLimit}
          fault={faults['speed_limit_kmh'] ?? null}
          maxLength={5}
        />
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button
            kind="primary"
            submits
            disabled={busy || name.trim() === '' || (vehicle === null && terminalId.trim() === '')}
          >
            {vehicle === null ? t('vehicle.add') : t('ui.save')}
          </Button>
        </ModalFooter>
      </form>
    </Modal>
  );
}

const emptyAsNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
