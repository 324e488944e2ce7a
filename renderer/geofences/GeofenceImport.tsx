import type { FieldError } from '../../server/contract/problem.ts';
import { useState } from 'react';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { GroupPicker } from '../groups/GroupPicker.tsx';
import type { Translate } from '../i18n/text.ts';
import { keptFromForm } from '../format/units.ts';
import { useT } from '../i18n/useT.ts';
import { ImportWizard } from '../resources/ImportWizard.tsx';
import { TextField } from '../ui/TextField.tsx';
import { numberOf } from './form/geofenceDraft.ts';
import { formatOf, importGeofences, type GeofenceFormat } from './geofenceFiles.ts';
import { faultText } from '../ui/formFaults.ts';

/** Geofences from a file. */
export function GeofenceImport({ file = null, onClose }: { file?: File | null; onClose: () => void }) {
  const app = useAppContext();
  const t = useT();
  const isDealer = app.user.role === 'dealer';
  const [groupIds, setGroupIds] = useState<string[]>([]);
  const [radius, setRadius] = useState('');
  const [width, setWidth] = useState('');
  const faultOf = (typed: string) =>
    typed.trim() !== '' && !(numberOf(typed) > 0) ? t('form.not_a_number') : null;
  const sizeOf = (typed: string) => (typed.trim() === '' ? null : keptFromForm('size_m', numberOf(typed)));
  return (
    <ImportWizard<{ text: string; format: GeofenceFormat }>
      title={t('geofence_files.import_title')}
      about={t('geofence_files.import_how')}
      file={file}
      accept={['.geojson', '.json', '.kml']}
      options={
        <div className="form-grid">
          <div className="form-whole">
            <GroupPicker
              label={t('geofence.groups')}
              hint={t(isDealer ? 'geofence.groups_hint' : 'geofence.groups_hint_user')}
              value={groupIds}
              onChange={setGroupIds}
            />
          </div>
          <TextField
            label={t('geofence_files.radius')}
            hint={t('geofence_files.radius_hint')}
            numeric
            value={radius}
            onChange={setRadius}
            fault={faultOf(radius)}
            maxLength={7}
          />
          <TextField
            label={t('geofence_files.width')}
            hint={t('geofence_files.width_hint')}
            numeric
            value={width}
            onChange={setWidth}
            fault={faultOf(width)}
            maxLength={6}
          />
        </div>
      }
      optionsKey={JSON.stringify([groupIds, radius, width])}
      isReady={faultOf(radius) === null && faultOf(width) === null && (isDealer || groupIds.length > 0)}
      words={[{ head: t('geofence.name'), width: 'minmax(96px, 1fr)' }]}
      read={(text, name) => {
        const format = formatOf(text);
        return format === null
          ? { fault: t('geofence_files.no_format', { name }) }
          : { source: { text, format } };
      }}
      send={async ({ text, format }, dryRun) => {
        const options = { groupIds, radiusM: sizeOf(radius), widthM: sizeOf(width) };
        const answer = await importGeofences(app, text, format, options, dryRun);
        return {
          ...answer,
          lines: answer.results.map(({ row, name, status, errors }) => ({
            row,
            status,
            words: [name ?? t('geofence_files.no_name')],
            faults: errors.map((fault) => formatFault(fault, t)).join(', '),
          })),
        };
      }}
      submit={(count) => t('geofence_files.do', { count })}
      onClose={onClose}
    />
  );
}

/** Where in a ring something is wrong says the message itself, by its latitude and longitude. */
function formatFault(fault: FieldError, t: Translate): string {
  const { path } = fault;
  if (path === 'radius_m') return t('geofence_files.needs_radius');
  if (path === 'width_m') return t('geofence_files.needs_width');
  const text = faultText(fault, t);
  return path.startsWith('geometry') ? text : `${path} ${text}`;
}
