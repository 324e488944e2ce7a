import { useStore } from 'zustand';
import { useDesk } from '../../desk/DeskContext.tsx';
import { GroupPicker } from '../../groups/GroupPicker.tsx';
import { useText } from '../../i18n/useText.ts';
import { ScheduleField } from '../../ui/ScheduleField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { typeInto } from '../drawingActions.ts';
import { ColorField } from './ColorField.tsx';
import type { FenceForm } from './fenceEdit.ts';

/** Name and colour of a geofence, what holds in it, for whom and when. */
export function LimitFields({
  form,
  faultOf,
}: {
  form: FenceForm;
  faultOf: (field: string) => string | null;
}) {
  const desk = useDesk();
  const say = useText();
  const timezone = useStore(desk.settings, (state) => state.time.timeZone);
  const isDealer = desk.user.role === 'dealer';
  return (
    <>
      <TextField
        label={say('fence.name')}
        value={form.name}
        onChange={(name) => typeInto(desk, { name })}
        fault={faultOf('name')}
        required
        maxLength={120}
      />
      <TextField
        label={say('fence.limit')}
        hint={say('fence.limit_hint')}
        numeric
        value={form.speedLimit}
        onChange={(speedLimit) => typeInto(desk, { speedLimit })}
        fault={faultOf('speed_limit_kmh')}
        maxLength={5}
      />
      <GroupPicker
        label={say('fence.groups')}
        hint={say(isDealer ? 'fence.groups_hint' : 'fence.groups_hint_user')}
        value={form.groupIds}
        onChange={(groupIds) => typeInto(desk, { groupIds })}
        fault={faultOf('group_ids')}
      />
      <ScheduleField
        label={say('fence.schedule')}
        value={form.schedule}
        onChange={(schedule) => typeInto(desk, { schedule })}
        fault={faultOf('schedule')}
        timezone={timezone}
      />
      <ColorField
        label={say('fence.color')}
        hint={say('fence.color_hint')}
        value={form.color}
        onChange={(color) => typeInto(desk, { color })}
      />
      <details className="geofence-panel__more">
        <summary>{say('fence.border')}</summary>
        <TextField
          label={say('fence.hysteresis')}
          hint={say('fence.hysteresis_hint')}
          numeric
          value={form.hysteresis}
          onChange={(hysteresis) => typeInto(desk, { hysteresis })}
          fault={faultOf('hysteresis_m')}
          maxLength={6}
        />
        <TextField
          label={say('fence.min_inside')}
          hint={say('fence.min_inside_hint')}
          numeric
          value={form.minInside}
          onChange={(minInside) => typeInto(desk, { minInside })}
          fault={faultOf('min_inside_s')}
          maxLength={6}
        />
        <TextField
          label={say('fence.min_outside')}
          hint={say('fence.min_outside_hint')}
          numeric
          value={form.minOutside}
          onChange={(minOutside) => typeInto(desk, { minOutside })}
          fault={faultOf('min_outside_s')}
          maxLength={6}
        />
      </details>
    </>
  );
}
