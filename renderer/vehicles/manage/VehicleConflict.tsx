import { useState } from 'react';
import { useStore } from 'zustand';
import type { Vehicle } from '../../../server/contract/vehicles.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { useNow } from '../../desk/useMoment.ts';
import { ageText } from '../../format/age.ts';
import type { Say } from '../../i18n/text.ts';
import { useText } from '../../i18n/useText.ts';
import { Button } from '../../ui/Button.tsx';
import { differences } from './conflict.ts';
import { fieldName } from './fieldName.ts';
import type { VehicleEditing } from './useVehicleForm.ts';
import { NO_TYPE, type VehicleForm } from './vehicleForm.ts';

/** Somebody else saved the vehicle while it was being changed here: what each wrote, and how to go on. */
export function VehicleConflict({ vehicle, editing }: { vehicle: Vehicle; editing: VehicleEditing }) {
  const desk = useDesk();
  const say = useText();
  const now = useNow();
  const groups = useStore(desk.groups.store, (state) => state.byId);
  const [compares, setCompares] = useState(false);
  const rows = differences(editing.form, editing.base, vehicle);
  const groupName = (id: string) => groups.get(id)?.name ?? say('groups.other');
  return (
    <div className="conflict" role="group" aria-label={say('vehicles.conflict_spoken')}>
      {/* Said once; the age in the sentence below goes on counting. */}
      <span className="unseen" role="alert">
        {say('vehicles.conflict_spoken')}
      </span>
      <p className="strong">
        {say('vehicles.conflict', { age: ageText(now - Date.parse(vehicle.updated_at)) })}
      </p>
      {compares && (
        <table>
          <thead>
            <tr>
              <th scope="col">{say('vehicles.conflict_field')}</th>
              <th scope="col">{say('vehicles.conflict_theirs')}</th>
              <th scope="col">{say('vehicles.conflict_yours')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, theirs, yours }) => (
              <tr key={field}>
                <th scope="row">{say(fieldName[field])}</th>
                <td>{shown(theirs, field, groupName, say)}</td>
                <td>{shown(yours, field, groupName, say)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="manage__buttons">
        {!compares && (
          <Button size="small" onPress={() => setCompares(true)}>
            {say('vehicles.conflict_compare')}
          </Button>
        )}
        <Button size="small" disabled={editing.busy} onPress={() => void editing.save(true)}>
          {say('vehicles.conflict_save')}
        </Button>
        <Button size="small" disabled={editing.busy} onPress={editing.reset}>
          {say('vehicles.conflict_take')}
        </Button>
      </div>
    </div>
  );
}

function shown(
  form: VehicleForm,
  field: keyof VehicleForm,
  groupName: (id: string) => string,
  say: Say,
): string {
  switch (field) {
    case 'group_ids':
      return form.group_ids.map(groupName).join(', ') || '–';
    case 'attributes':
      return form.attributes.map(({ name, value }) => `${name}: ${value}`).join(', ') || '–';
    case 'type':
      return form.type === NO_TYPE ? '–' : say(`vehicle.type.${form.type}`);
    default:
      return form[field] === '' ? '–' : form[field];
  }
}
