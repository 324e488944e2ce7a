import { useStore } from 'zustand';
import { useAppContext } from '../../appContext/AppContextProvider.tsx';
import { GroupPicker } from '../../groups/GroupPicker.tsx';
import { useT } from '../../i18n/useT.ts';
import { ScheduleField } from '../../ui/ScheduleField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { typeInto } from '../drawingActions.ts';
import { ColorField } from './ColorField.tsx';
import type { GeofenceForm } from './geofenceEdit.ts';

/** Name and colour of a geofence, what holds in it, for whom and when. */
export function LimitFields({
  form,
  faultOf,
}: {
  form: GeofenceForm;
  faultOf: (field: string) => string | null;
}) {
  const app = useAppContext();
  const t = useT();
  const timezone = useStore(app.settings, (state) => state.time.timeZone);
  const isDealer = app.user.role === 'dealer';
  return (
    <>
      <TextField
        label={t('geofence.name')}
        value={form.name}
        onChange={(name) => typeInto(app, { name })}
        fault={faultOf('name')}
        required
        maxLength={120}
      />
      <TextField
        label={t('geofence.limit')}
        hint={t('geofence.limit_hint')}
        numeric
        value={form.speedLimit}
        onChange={(speedLimit) => typeInto(app, { speedLimit })}
        fault={faultOf('speed_limit_kmh')}
        maxLength={5}
      />
      <GroupPicker
        label={t('geofence.groups')}
        hint={t(isDealer ? 'geofence.groups_hint' : 'geofence.groups_hint_user')}
        value={form.groupIds}
        onChange={(groupIds) => typeInto(app, { groupIds })}
        fault={faultOf('group_ids')}
      />
      <ScheduleField
        label={t('geofence.schedule')}
        value={form.schedule}
        onChange={(schedule) => typeInto(app, { schedule })}
        fault={faultOf('schedule')}
        timezone={timezone}
      />
      <ColorField
        label={t('geofence.color')}
        hint={t('geofence.color_hint')}
        value={form.color}
        onChange={(color) => typeInto(app, { color })}
      />
      <details className="geofence-panel__more">
        <summary>{t('geofence.border')}</summary>
        <TextField
          label={t('geofence.hysteresis')}
          hint={t('geofence.hysteresis_hint')}
          numeric
          value={form.hysteresis}
          onChange={(hysteresis) => typeInto(app, { hysteresis })}
          fault={faultOf('hysteresis_m')}
          maxLength={6}
        />
        <TextField
          label={t('geofence.min_inside')}
          hint={t('geofence.min_inside_hint')}
          numeric
          value={form.minInside}
          onChange={(minInside) => typeInto(app, { minInside })}
          fault={faultOf('min_inside_s')}
          maxLength={6}
        />
        <TextField
          label={t('geofence.min_outside')}
          hint={t('geofence.min_outside_hint')}
          numeric
          value={form.minOutside}
          onChange={(minOutside) => typeInto(app, { minOutside })}
          fault={faultOf('min_outside_s')}
          maxLength={6}
        />
      </details>
    </>
  );
}
