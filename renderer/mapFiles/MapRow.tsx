import { useState } from 'react';
import { mapRoutes, type Map as MapFile, type MapArea } from '../../server/contract/maps.ts';
import { onlineMapRoutes } from '../../server/contract/onlineMaps.ts';
import type { PlaceIndex } from '../../server/contract/places.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { compassPoint } from '../format/compass.ts';
import { formatBytes, formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmButton } from '../ui/ConfirmButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { detailText } from '../ui/formFaults.ts';
import { Meter } from '../ui/Meter.tsx';
import { Modal, ModalFooter } from '../ui/Modal.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';

/** A map of the list: what it is, and what dealers do with it. */
export function MapRow({
  map,
  index,
  isDealer,
}: {
  map: MapFile;
  /** Undefined for what is not searched, and before it is known. */
  index?: PlaceIndex | undefined;
  isDealer: boolean;
}) {
  const { api, mapList } = useAppContext();
  const t = useT();
  const { busy, sentence, run } = useAction();
  const [renaming, setRenaming] = useState(false);
  const { map_id, name, version } = map;
  const params = { map_id };
  const change = (act: () => Promise<unknown>) => void run(() => act().then(mapList.reload));
  const isOnline = map.format === 'online';
  const removal = isOnline || map.path !== null ? 'maps.remove_really' : 'maps.delete_really';
  return (
    <li className="row-list__row">
      <div className="ellipsis strong" title={map.path ?? map.url ?? name}>
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
          <Button size="small" label={t('maps.rename_named', { name })} onPress={() => setRenaming(true)}>
            {t('maps.rename')}
          </Button>
          {isOnline && (
            <Button
              size="small"
              label={t('maps.online_clear_named', { name })}
              disabled={busy || map.bytes === 0}
              onPress={() => change(() => api.request(onlineMapRoutes.clearCache, { params }))}
            >
              {t('maps.online_clear')}
            </Button>
          )}
          <ConfirmButton
            size="small"
            disabled={busy}
            confirm={t(removal, { name })}
            onConfirm={() => change(() => api.request(mapRoutes.remove, { params }))}
          >
            {t('maps.remove')}
          </ConfirmButton>
        </div>
      )}
      <div className="quiet small row-list__line">
        {[
          t(`maps.kind_${map.kind}`),
          t(`maps.schema_${map.schema}`),
          t('maps.zooms', { min: map.min_zoom, max: map.max_zoom }),
          isOnline ? t('maps.online_cached', { size: formatBytes(map.bytes) }) : formatBytes(map.bytes),
          areaText(map.area),
          ...(map.shown ? [] : [t('maps.hidden')]),
        ].join(' · ')}
      </div>
      <div className="faint small row-list__line">
        {map.licence === '' ? t('maps.no_licence') : map.licence}
      </div>
      {map.fault !== null && (
        <p className="form-sentence row-list__line" role="alert">
          {t(isOnline ? 'maps.online_fault' : 'maps.fault', {
            detail: detailText({ detail: map.fault, causes: map.fault_causes }, t),
          })}
        </p>
      )}
      {index !== undefined && <IndexProgress index={index} />}
      <Failure>{sentence}</Failure>
      {renaming && <RenameDialog map={map} onClose={() => setRenaming(false)} />}
    </li>
  );
}

/** Says nothing of a map that can be searched. */
function IndexProgress({ index: { state, progress, detail, causes } }: { index: PlaceIndex }) {
  const t = useT();
  if (state === 'ready') return null;
  if (state === 'failed')
    return (
      <p className="form-sentence row-list__line" role="alert">
        {t('maps.index_failed', { detail: detailText({ detail: detail ?? '', causes }, t) })}
      </p>
    );
  return (
    <div className="map-index row-list__line">
      <span className="quiet small">{t('maps.indexing', { percent: Math.floor(100 * progress) })}</span>
      <Meter label={t('maps.index_progress')} value={progress} />
    </div>
  );
}

/** "42.44–42.66° N, 1.42–1.78° E" */
export function areaText({ west, south, east, north }: MapArea): string {
  const span = (from: number, to: number, minusDeg: number, plusDeg: number) => {
    const [a, b] = [from, to].map((it) => formatNumber(Math.abs(it), 2));
    const [minus, plus] = [compassPoint(minusDeg), compassPoint(plusDeg)];
    if (from >= 0) return `${a}–${b}° ${plus}`;
    return to <= 0 ? `${b}–${a}° ${minus}` : `${a}° ${minus} – ${b}° ${plus}`;
  };
  const parts = [span(south, north, 180, 0), span(west, east, 270, 90)];
  // A comma stands in the numbers of many languages.
  return parts.join(parts.join('').includes(',') ? '; ' : ', ');
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
