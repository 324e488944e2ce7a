import { useState } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { useNow } from '../../appContext/useMoment.ts';
import { formatAge } from '../../format/age.ts';
import type { Translate } from '../../i18n/text.ts';
import { useT } from '../../i18n/useT.ts';
import { Button } from '../../ui/Button.tsx';
import { differences } from './conflict.ts';
import { fieldName } from './fieldName.ts';
import type { VehicleEditing } from './useVehicleForm.ts';
import { NO_TYPE, type VehicleForm } from './vehicleForm.ts';

/** Somebody else saved the vehicle while it was being changed here: what each wrote, and how to go on. */
export function VehicleConflict({ vehicle, editing }: { vehicle: Vehicle; editing: VehicleEditing }) {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const groups = useStore(app.groups.store, (state) => state.byId);
  const [compares, setCompares] = useState(false);
  const rows = differences(editing.form, editing.base, vehicle);
  const groupName = (id: string) => groups.get(id)?.name ?? t('groups.other');
  return (
    <div className="conflict" role="group" aria-label={t('vehicles.conflict_spoken')}>
      {/* Said once; the age in the sentence below goes on counting. */}
      <span className="unseen" role="alert">
        {t('vehicles.conflict_spoken')}
      </span>
      <p className="strong">
        {t('vehicles.conflict', { age: formatAge(now - Date.parse(vehicle.updated_at)) })}
      </p>
      {compares && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('vehicles.conflict_field')}</th>
              <th scope="col">{t('vehicles.conflict_theirs')}</th>
              <th scope="col">{t('vehicles.conflict_yours')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, theirs, yours }) => (
              <tr key={field}>
                <th scope="row">{t(fieldName[field])}</th>
                <td>{shown(theirs, field, groupName, t)}</td>
                <td>{shown(yours, field, groupName, t)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="manage__buttons">
        {!compares && (
          <Button size="small" onPress={() => setCompares(true)}>
            {t('vehicles.conflict_compare')}
          </Button>
        )}
        <Button size="small" disabled={editing.busy} onPress={() => void editing.save(true)}>
          {t('vehicles.conflict_save')}
        </Button>
        <Button size="small" disabled={editing.busy} onPress={editing.reset}>
          {t('vehicles.conflict_take')}
        </Button>
      </div>
    </div>
  );
}

function shown(
  form: VehicleForm,
  field: keyof VehicleForm,
  groupName: (id: string) => string,
  t: Translate,
): string {
  switch (field) {
    case 'group_ids':
      return form.group_ids.map(groupName).join(', ') || '–';
    case 'attributes':
      return form.attributes.map(({ name, value }) => `${name}: ${value}`).join(', ') || '–';
    case 'type':
      return form.type === NO_TYPE ? '–' : t(`vehicle.type.${form.type}`);
    default:
      return form[field] === '' ? '–' : form[field];
  }
}
