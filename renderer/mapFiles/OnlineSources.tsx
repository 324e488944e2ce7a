import { Globe } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Map as MapFile } from '../../server/contract/maps.ts';
import { onlineMapRoutes, type NewOnlineMap, type OnlineMapAbout } from '../../server/contract/onlineMaps.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Form } from '../ui/Form.tsx';
import { Modal, ModalFooter } from '../ui/Modal.tsx';
import { RadioRows } from '../ui/RadioRows.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { areaText, MapRow } from './MapRow.tsx';

/** What is cached, and whether a source is away, changes without a change of the maps. */
const RELOAD_MS = 10_000;

export const isOnline = (map: Pick<MapFile, 'format'>): boolean => map.format === 'online';

/** Maps that the host fetches from providers while they are drawn; dealers add them. */
export function OnlineSources() {
  const { mapList, clock, user } = useAppContext();
  const t = useT();
  const maps = useStore(mapList.store, (it) => it.maps).filter(isOnline);
  const [adding, setAdding] = useState(false);
  const isDealer = user.role === 'dealer';
  const isAny = maps.length > 0;
  useEffect(() => {
    if (!isAny) return undefined;
    let stop: () => void = () => undefined;
    const read = () => {
      mapList.reload();
      stop = clock.after(RELOAD_MS, read);
    };
    read();
    return () => stop();
  }, [mapList, clock, isAny]);
  if (!isDealer && !isAny) return null;
  return (
    <section className="settings__section">
      <h2>{t('maps.online')}</h2>
      <p className="quiet">{t('maps.online_about')}</p>
      {isDealer && (
        <div>
          <Button icon={Globe} onPress={() => setAdding(true)}>
            {t('maps.online_add')}
          </Button>
        </div>
      )}
      <ul className="row-list" aria-label={t('maps.online')}>
        {maps.map((it) => (
          <MapRow key={it.map_id} map={it} isDealer={isDealer} />
        ))}
      </ul>
      {adding && <AddDialog onClose={() => setAdding(false)} />}
    </section>
  );
}

interface Typed {
  kind: NewOnlineMap['kind'];
  url: string;
  name: string;
  attribution: string;
  min_zoom: string;
  max_zoom: string;
}

const FIELDS = { fields: ['url', 'name', 'attribution', 'min_zoom', 'max_zoom'] };

function requestOf({ kind, url, name, attribution, ...zooms }: Typed): NewOnlineMap {
  const number = (text: string) => (text.trim() === '' ? NaN : Number(text));
  return {
    kind,
    url: url.trim(),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(attribution.trim() === '' ? {} : { attribution: attribution.trim() }),
    ...(kind === 'imagery' ? { min_zoom: number(zooms.min_zoom), max_zoom: number(zooms.max_zoom) } : {}),
  };
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { api, mapList } = useAppContext();
  const t = useT();
  const { busy, sentence, faults, run, show } = useAction();
  const [typed, setTyped] = useState<Typed>({
    ...{ kind: 'streets', url: '', name: '', attribution: '' },
    ...{ min_zoom: '0', max_zoom: '19' },
  });
  const [shown, setShown] = useState(true);
  const [found, setFound] = useState<OnlineMapAbout | null>(null);
  const { kind } = typed;
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    setFound(null);
    show();
  };
  const field = (name: Exclude<keyof Typed, 'kind'>) => ({
    value: typed[name],
    onChange: (text: string) => change({ [name]: text }),
    fault: faults[name] ?? null,
  });
  const test = () =>
    run(async (counts) => {
      const about = await api.request(onlineMapRoutes.test, { body: requestOf(typed) });
      if (counts()) setFound(about);
    }, FIELDS);
  const add = async () => {
    const isAdded = await run(
      () => api.request(onlineMapRoutes.add, { body: { ...requestOf(typed), shown } }),
      FIELDS,
    );
    if (!isAdded) return;
    mapList.reload();
    onClose();
  };
  const isEmpty = typed.url.trim() === '';
  return (
    <Modal title={t('maps.online_add')} width={520} onClose={onClose}>
      <Form faults={faults} onSubmit={() => void add()}>
        <RadioRows
          label={t('maps.online_kind')}
          value={kind}
          onChange={(to) => change({ kind: to })}
          columns={2}
          options={(['streets', 'imagery'] as const).map((id) => ({
            id,
            label: t(`maps.kind_${id}`),
            hint: t(`maps.online_${id}`),
          }))}
        />
        <TextField
          label={t('maps.online_url')}
          placeholder={t(`maps.online_example_${kind}`)}
          {...field('url')}
          maxLength={2_000}
          required
          autoFocus
        />
        <TextField
          label={t('maps.online_attribution')}
          placeholder={t('maps.online_attribution_example')}
          hint={t(`maps.online_attribution_${kind}`)}
          {...field('attribution')}
          maxLength={500}
          required={kind === 'imagery'}
        />
        <TextField label={t('maps.name')} hint={t('maps.online_name')} {...field('name')} maxLength={120} />
        {kind === 'imagery' && (
          <div className="map-zooms">
            <TextField label={t('maps.online_min_zoom')} {...field('min_zoom')} numeric maxLength={2} />
            <TextField label={t('maps.online_max_zoom')} {...field('max_zoom')} numeric maxLength={2} />
          </div>
        )}
        <Toggle label={t('maps.online_show')} on={shown} onChange={setShown} />
        <p className="quiet small">{t('maps.online_terms')}</p>
        {found !== null && (
          <p role="status">
            {t('maps.online_found', {
              about: [
                t(`maps.schema_${found.schema}`),
                t('maps.zooms', { min: found.min_zoom, max: found.max_zoom }),
                areaText(found.area),
                found.licence,
              ].join(' · '),
            })}
          </p>
        )}
        <ModalFooter sentence={sentence} onCancel={onClose}>
          <Button disabled={busy || isEmpty} onPress={() => void test()}>
            {t('maps.online_test')}
          </Button>
          <Button kind="primary" submits disabled={busy || isEmpty}>
            {t(busy ? 'maps.online_checking' : 'maps.add')}
          </Button>
        </ModalFooter>
      </Form>
    </Modal>
  );
}
