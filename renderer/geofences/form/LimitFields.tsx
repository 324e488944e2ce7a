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
  const field = <Name extends keyof GeofenceForm>(name: Name, path: string) => ({
    value: form[name],
    onChange: (value: GeofenceForm[Name]) => typeInto(app, { [name]: value }),
    fault: faultOf(path),
  });
  return (
    <>
      <TextField label={t('geofence.name')} {...field('name', 'name')} required maxLength={120} />
      <TextField
        label={t('geofence.limit')}
        hint={t('geofence.limit_hint')}
        numeric
        {...field('speedLimit', 'speed_limit_kmh')}
        maxLength={5}
      />
      <GroupPicker
        label={t('geofence.groups')}
        hint={t(isDealer ? 'geofence.groups_hint' : 'geofence.groups_hint_user')}
        {...field('groupIds', 'group_ids')}
      />
      <ScheduleField label={t('geofence.schedule')} {...field('schedule', 'schedule')} timezone={timezone} />
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
          {...field('hysteresis', 'hysteresis_m')}
          maxLength={6}
        />
        <TextField
          label={t('geofence.min_inside')}
          hint={t('geofence.min_inside_hint')}
          numeric
          {...field('minInside', 'min_inside_s')}
          maxLength={6}
        />
        <TextField
          label={t('geofence.min_outside')}
          hint={t('geofence.min_outside_hint')}
          numeric
          {...field('minOutside', 'min_outside_s')}
          maxLength={6}
        />
      </details>
    </>
  );
}
