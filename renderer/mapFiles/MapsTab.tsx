import { FileUp, FolderInput } from 'lucide-react';
import { useEffect, useState } from 'react';
import { DropZone, FileTrigger, isFileDropItem, type DropZoneProps } from 'react-aria-components';
import { useStore } from 'zustand';
import { mapRoutes, type Map as MapFile, type MapArea } from '../../server/contract/maps.ts';
import type { PlaceIndex } from '../../server/contract/places.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatBytes } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { failureOf } from '../ui/formFaults.ts';
import { Meter } from '../ui/Meter.tsx';
import { Modal, ModalFooter } from '../ui/Modal.tsx';
import { RetryButton } from '../ui/RetryButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import type { UploadState } from './mapUploads.ts';
import { createPlaceIndexes } from './placeIndexes.ts';
import './MapsTab.css';

/** The map files of the depot; dealers add and change them. */
export function MapsTab() {
  const app = useAppContext();
  const t = useT();
  const { maps, load } = useStore(app.mapList.store);
  const [renamed, setRenamed] = useState<MapFile | null>(null);
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
          <ul className="session-list" aria-label={t('maps.files')}>
            {maps.map((it) => (
              <MapRow
                key={it.map_id}
                map={it}
                index={byMap.get(it.map_id)}
                isDealer={isDealer}
                onRename={() => setRenamed(it)}
              />
            ))}
          </ul>
        </section>
      </div>
      {renamed !== null && <RenameDialog map={renamed} onClose={() => setRenamed(null)} />}
    </div>
  );
}

function MapRow({
  map,
  index,
  isDealer,
  onRename,
}: {
  map: MapFile;
  /** Undefined for imagery, and before it is known. */
  index: PlaceIndex | undefined;
  isDealer: boolean;
  onRename: () => void;
}) {
  const { api, mapList } = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const { map_id, name, version } = map;
  const params = { map_id };
  const change = (act: () => Promise<unknown>) => void run(() => act().then(mapList.reload));
  return (
    <li className="session-list__row">
      <div className="ellipsis strong" title={map.path ?? name}>
        {name}
      </div>
      {isDealer && (
        <div className="map-row__buttons">
          <Toggle
            label={t('maps.shown')}
            on={map.shown}
            disabled={busy}
            onChange={(shown) =>
              change(() => api.request(mapRoutes.patch, { params, body: { shown }, ifMatch: version }))
            }
          />
          <Button size="small" label={t('maps.rename_named', { name })} onPress={onRename}>
            {t('maps.rename')}
          </Button>
          <ConfirmButton
            size="small"
            disabled={busy}
            confirm={t(map.path === null ? 'maps.delete_really' : 'maps.remove_really', { name })}
            onConfirm={() => change(() => api.request(mapRoutes.remove, { params }))}
          >
            {t('maps.remove')}
          </ConfirmButton>
        </div>
      )}
      <div className="quiet small session-list__times">
        {[
          t(`maps.kind_${map.kind}`),
          t(`maps.schema_${map.schema}`),
          t('maps.zooms', { min: map.min_zoom, max: map.max_zoom }),
          formatBytes(map.bytes),
          areaText(map.area),
          ...(map.shown ? [] : [t('maps.hidden')]),
        ].join(' · ')}
      </div>
      <div className="faint small session-list__times">
        {map.licence === '' ? t('maps.no_licence') : map.licence}
      </div>
      {map.fault !== null && (
        <p className="form-sentence session-list__times" role="alert">
          {t('maps.fault', { detail: map.fault })}
        </p>
      )}
      {index !== undefined && <IndexProgress index={index} />}
      <Failure>{sentence}</Failure>
    </li>
  );
}

/** Says nothing of a map that can be searched. */
function IndexProgress({ index: { state, progress, detail } }: { index: PlaceIndex }) {
  const t = useT();
  if (state === 'ready') return null;
  if (state === 'failed')
    return (
      <p className="form-sentence session-list__times" role="alert">
        {t('maps.index_failed', { detail: detail ?? '' })}
      </p>
    );
  return (
    <div className="map-index session-list__times">
      <span className="quiet small">{t('maps.indexing', { percent: Math.floor(100 * progress) })}</span>
      <Meter label={t('maps.index_progress')} value={progress} />
    </div>
  );
}

/** "42.44 to 42.66° N, 1.42 to 1.78° E" */
export function areaText({ west, south, east, north }: MapArea): string {
  const span = (from: number, to: number, [minus, plus]: readonly [string, string]) => {
    const [a, b] = [from, to].map((it) => Math.abs(it).toFixed(2));
    if (from >= 0) return `${a} to ${b}° ${plus}`;
    return to <= 0 ? `${b} to ${a}° ${minus}` : `${a}° ${minus} to ${b}° ${plus}`;
  };
  return `${span(south, north, ['S', 'N'])}, ${span(west, east, ['W', 'E'])}`;
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

function RenameDialog({ map, onClose }: { map: MapFile; onClose: () => void }) {
  const { api, mapList } = useAppContext();
  const t = useT();
  const [name, setName] = useState(map.name);
  const { busy, sentence, faults, run } = useAction();
  const rename = async () => {
    const isDone = await run(() =>
      api.request(mapRoutes.patch, {
        params: { map_id: map.map_id },
        body: { name: name.trim() },
        ifMatch: map.version,
      }),
    );
    if (!isDone) return;
    mapList.reload();
    onClose();
  };
  return (
    <Modal title={t('maps.rename_named', { name: map.name })} onClose={onClose}>
      <Form faults={faults} onSubmit={() => void rename()}>
        <TextField
          label={t('maps.name')}
          value={name}
          onChange={setName}
          maxLength={120}
          required
          autoFocus
        />
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button kind="primary" submits disabled={busy || name.trim() === ''}>
            {t('maps.rename')}
          </Button>
        </ModalFooter>
      </Form>
    </Modal>
  );
}
