import { FileUp, FolderInput } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem, type DropZoneProps } from 'react-aria-components';
import { useStore } from 'zustand';
import { mapRoutes } from '../../server/contract/maps.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { failureOf } from '../ui/formFaults.ts';
import { Meter } from '../ui/Meter.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import { MapRow } from './MapRow.tsx';
import type { UploadState } from './mapUploads.ts';
import { createPlaceIndexes } from './placeIndexes.ts';
import { isOnline, OnlineSources } from './OnlineSources.tsx';
import { RegionDownload } from './RegionDownload.tsx';
import './MapsTab.css';

/** The map files of the depot; dealers add and change them. */
export function MapsTab() {
  const app = useAppContext();
  const t = useT();
  const { maps: all, load } = useStore(app.mapList.store);
  const maps = all.filter((it) => !isOnline(it));
  const [indexes] = useState(() => createPlaceIndexes(app));
  useEffect(() => indexes.start(), [indexes]);
  const { byMap } = useStore(indexes.store);
  const isDealer = app.user.role === 'dealer';
  return (
    <div className="settings-page">
      <div className="settings">
        <section className="settings__section">
          <h2>{t('maps.title')}</h2>
          <p className="quiet">{t('maps.about')}</p>
          {isDealer && <AddMap />}
        </section>
        <section className="settings__section">
          <h2>{t('maps.files')}</h2>
          {load.phase === 'failed' && (
            <>
              <p className="quiet">{t('maps.failed')}</p>
              <div>
                <RetryButton size="small" onRetry={app.mapList.reload} />
              </div>
            </>
          )}
          {maps.length === 0 && load.phase !== 'failed' && (
            <p className="quiet">{t(load.phase === 'loading' ? 'maps.loading' : 'maps.none')}</p>
          )}
          <ul className="row-list" aria-label={t('maps.files')}>
            {maps.map((it) => (
              <MapRow key={it.map_id} map={it} index={byMap.get(it.map_id)} isDealer={isDealer} />
            ))}
          </ul>
        </section>
        {isDealer && <RegionDownload />}
        <OnlineSources />
      </div>
    </div>
  );
}

const FILE_TYPES = ['.pmtiles', '.mbtiles'];

function AddMap() {
  const { mapUploads } = useAppContext();
  const t = useT();
  const upload = useStore(mapUploads.store, (it) => it.upload);
  const [refused, setRefused] = useState<string | null>(null);

  function take(file: File): void {
    const isKnown = FILE_TYPES.some((type) => file.name.toLowerCase().endsWith(type));
    setRefused(isKnown ? null : t('maps.refused', { name: file.name }));
    if (isKnown) mapUploads.start(file);
  }
  async function takeDropped({ items }: Parameters<NonNullable<DropZoneProps['onDrop']>>[0]): Promise<void> {
    const file = items.find(isFileDropItem);
    if (file !== undefined) take(await file.getFile());
  }

  return (
    <>
      <DropZone className="map-drop" aria-label={t('maps.drop')} onDrop={(event) => void takeDropped(event)}>
        {upload === null || upload.phase === 'failed' ? (
          <>
            <FileTrigger
              acceptedFileTypes={FILE_TYPES}
              onSelect={(files) => files?.[0] !== undefined && take(files[0])}
            >
              <Button kind="primary" icon={FileUp}>
                {t('maps.choose')}
              </Button>
            </FileTrigger>
            <span className="quiet">{t('maps.drop')}</span>
          </>
        ) : (
          <UploadProgress upload={upload} />
        )}
      </DropZone>
      {upload?.phase === 'failed' && (
        <p className="form-sentence" role="alert">
          {t('maps.upload_failed', { name: upload.name })} {failureOf(upload.error, t).sentence}
        </p>
      )}
      <Failure>{refused}</Failure>
      <PathForm />
    </>
  );
}

function UploadProgress({ upload }: { upload: UploadState }) {
  const { mapUploads } = useAppContext();
  const t = useT();
  const { name, bytes, received, phase } = upload;
  const percent = Math.floor((100 * received) / bytes);
  return (
    <>
      <span className="ellipsis strong">{name}</span>
      <Meter label={t('maps.uploading')} value={received / bytes} />
      <span className="quiet" role="status">
        {phase === 'checking' ? t('maps.checking') : t(`maps.upload_${phase}`, { percent })}
      </span>
      {phase === 'paused' ? (
        <Button size="small" onPress={mapUploads.resume}>
          {t('maps.resume')}
        </Button>
      ) : (
        <Button size="small" disabled={phase === 'checking'} onPress={mapUploads.pause}>
          {t('maps.pause')}
        </Button>
      )}
      <Button size="small" onPress={() => void mapUploads.cancel()}>
        {t('maps.cancel')}
      </Button>
    </>
  );
}

/** Of a file that lies on the host already. */
function PathForm() {
  const { api, mapList } = useAppContext();
  const t = useT();
  const [path, setPath] = useState('');
  const { busy, sentence, faults, run } = useAction();
  const add = async () => {
    const isAdded = await run(() => api.request(mapRoutes.add, { body: { path: path.trim() } }));
    if (!isAdded) return;
    setPath('');
    mapList.reload();
  };
  return (
    <Form faults={faults} onSubmit={() => void add()}>
      <div className="map-path">
        <TextField
          label={t('maps.path')}
          placeholder={t('maps.path_example')}
          value={path}
          onChange={setPath}
          maxLength={1_000}
        />
        <Button icon={FolderInput} submits disabled={busy || path.trim() === ''}>
          {t(busy ? 'maps.checking' : 'maps.add')}
        </Button>
      </div>
      <p className="quiet small">{t('maps.path_about')}</p>
      <Failure>{sentence}</Failure>
    </Form>
  );
}
