import { useState } from 'react';
import { useStore } from 'zustand';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { GeofenceImport } from '../geofences/GeofenceImport.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Modal } from '../ui/Modal.tsx';
import { RadioRows } from '../ui/RadioRows.tsx';
import { TrackImport } from '../vehicles/manage/TrackImport.tsx';
import { VehicleImport } from '../vehicles/manage/VehicleImport.tsx';
import { VehiclePicker } from '../vehicles/VehiclePicker.tsx';
import type { OpenedFile } from './openedFiles.ts';
import { mayImport } from './openFiles.ts';

/** The import of the file that has waited longest. */
export function OpenedFileDialog() {
  const { openedFiles } = useAppContext();
  const first = useStore(openedFiles.store, ({ waiting }) => waiting[0]);
  return first === undefined ? null : (
    <FileImport key={first.id} opened={first} onClose={openedFiles.closeFirst} />
  );
}

function FileImport({ opened: { file, kind }, onClose }: { opened: OpenedFile; onClose: () => void }) {
  const [chosen, setChosen] = useState<Choice | null>(null);
  const vehicle = useStore(useAppContext().vehicles.store, ({ byId }) => byId.get(chosen?.vehicleId ?? ''));
  if (kind === 'geofences') return <GeofenceImport file={file} onClose={onClose} />;
  if (kind === 'vehicles' || chosen?.kind === 'vehicles')
    return <VehicleImport file={file} onClose={onClose} />;
  if (vehicle !== undefined) return <TrackImport vehicle={vehicle} file={file} onClose={onClose} />;
  return <AskWhatFor file={file} kind={kind} onChoose={setChosen} onClose={onClose} />;
}

interface Choice {
  kind: 'vehicles' | 'track';
  /** The vehicle of a track. */
  vehicleId: string | null;
}

/** Asks of which vehicle a track is, and of a table whether it is one. */
function AskWhatFor({
  file,
  kind,
  onChoose,
  onClose,
}: {
  file: File;
  kind: 'track' | 'table';
  onChoose: (choice: Choice) => void;
  onClose: () => void;
}) {
  const app = useAppContext();
  const t = useT();
  const mayTrack = mayImport(app, 'track');
  const [isTrack, setTrack] = useState(kind === 'track');
  const [vehicleIds, setVehicleIds] = useState(() => {
    const { vehicleId } = app.view.getState();
    return vehicleId === null ? [] : [vehicleId];
  });
  const [vehicleId = null] = vehicleIds;
  return (
    <Modal title={t('open_files.ask', { name: file.name })} onClose={onClose} unsaved={false}>
      {kind === 'table' && (
        <RadioRows
          label={t('open_files.what')}
          value={isTrack ? 'track' : 'vehicles'}
          onChange={(id) => setTrack(id === 'track')}
          options={[
            { id: 'vehicles', label: t('open_files.vehicles'), hint: t('open_files.vehicles_hint') },
            {
              id: 'track',
              label: t('open_files.track'),
              hint: t('open_files.track_hint'),
              disabled: !mayTrack,
            },
          ]}
        />
      )}
      {isTrack && (
        <VehiclePicker
          single
          label={t('list.column.vehicle')}
          hint={t('open_files.vehicle_hint')}
          value={vehicleIds}
          onChange={setVehicleIds}
        />
      )}
      <div className="modal__actions">
        <Button onPress={onClose}>{t('ui.cancel')}</Button>
        <Button
          kind="primary"
          disabled={isTrack && vehicleId === null}
          onPress={() =>
            onChoose(isTrack ? { kind: 'track', vehicleId } : { kind: 'vehicles', vehicleId: null })
          }
        >
          {t('open_files.continue')}
        </Button>
      </div>
    </Modal>
  );
}
