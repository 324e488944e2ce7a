import { X } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useLostSince } from '../../appContext/useMoment.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { faultsByField, faultsOf, sentenceOf, type FieldErrors } from '../../ui/formFaults.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { UnknownTerminalsCard } from './UnknownTerminalsCard.tsx';
import { useSaveKey } from './useSaveKey.ts';
import { faultWords } from './useVehicleForm.ts';
import { VehicleFields } from './VehicleFields.tsx';
import { emptyForm, newVehicleOf, type VehicleForm } from './vehicleForm.ts';

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
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const ownGroups = useStore(app.groups.store, (state) => state.byId);
  const [form, setForm] = useState<VehicleForm>(() => ({
    ...emptyForm,
    // Who is no dealer sees a vehicle only through a group.
    group_ids:
      groupId !== null ? [groupId] : app.user.role === 'dealer' ? [] : [...ownGroups.keys()].slice(0, 1),
  }));
  const [faults, setFaults] = useState<FieldErrors>({});
  const [sentence, setSentence] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const mayAdd = !busy && !lost && form.name.trim() !== '' && form.terminal_id.trim() !== '';

  const add = async () => {
    const read = newVehicleOf(form);
    if ('faults' in read) {
      setFaults(faultWords(read.faults, t));
      return;
    }
    setBusy(true);
    setSentence(null);
    try {
      const added = await app.vehicleActions.create(read.vehicle);
      app.vehicles.put([added]);
      onAdded(added);
    } catch (error) {
      const found = faultsByField(faultsOf(error));
      setFaults(found);
      // What is wrong with a field stands at the field.
      if (Object.keys(found).length === 0)
        setSentence(sentenceOf(error, t, { already_exists: t('vehicle.exists') }));
      setBusy(false);
    }
  };
  useSaveKey(() => {
    if (mayAdd) void add();
  });

  return (
    <section className="pane manage__side" aria-label={t('vehicle.add')} data-pane tabIndex={-1}>
      <div className="manage__side-head">
        <h2 className="fill">{t('vehicle.add')}</h2>
        <IconButton icon={X} label={t('ui.close')} keycap="Esc" onPress={onClose} />
      </div>
      <form
        className="manage__body"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          if (mayAdd) void add();
        }}
      >
        <div className="manage__side-body">
          <UnknownTerminalsCard groupIds={form.group_ids} onAdded={onAdded} />
          <div className="manage__section">
            <VehicleFields
              form={form}
              onChange={(next) => {
                setForm(next);
                setFaults({});
              }}
              faults={faults}
              autoFocus="name"
            />
          </div>
        </div>
        <div className="manage__foot">
          <span className="fill">
            {sentence !== null && (
              <span className="strong" role="alert">
                {sentence}
              </span>
            )}
          </span>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <Button kind="primary" submits keycap="Ctrl S" disabled={!mayAdd}>
            {t('vehicle.add')}
          </Button>
        </div>
      </form>
    </section>
  );
}
