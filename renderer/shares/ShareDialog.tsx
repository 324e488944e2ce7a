import { useCallback, useState } from 'react';
import { shareDetails, shareRoutes, type ShareDetail } from '../../server/contract/shares.ts';
import type { Vehicle } from '../../server/contract/vehicles.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { originForOthers } from '../connections/remoteHost.ts';
import { GeofencePicker } from '../geofences/GeofencePicker.tsx';
import type { Translate } from '../i18n/text.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { usePolling } from '../resources/useReread.ts';
import { Button } from '../ui/Button.tsx';
import { Choice } from '../ui/Select.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Failure, Form } from '../ui/Form.tsx';
import { Modal } from '../ui/Modal.tsx';
import { SegmentedControl } from '../ui/Segments.tsx';
import { TextField } from '../ui/TextField.tsx';
import { Toggle } from '../ui/Toggle.tsx';
import { givenLinks, isOfServerAlone } from './givenLinks.ts';
import { ShareList, SHARES_AGAIN_MS } from './ShareList.tsx';
import './shares.css';

const HOUR_MS = 3_600_000;
/** For how long a new link can be asked for. */
const HOURS = [1, 4, 12, 24, 168, 720] as const;
const SIDES = ['everywhere', 'inside', 'outside'] as const;

interface ShareForm {
  name: string;
  shows: readonly ShareDetail[];
  side: (typeof SIDES)[number];
  geozoneId: string | null;
  hours: number;
}

const NEW_LINK: ShareForm = {
  name: '',
  shows: ['speed', 'address'],
  side: 'everywhere',
  geozoneId: null,
  hours: 4,
};

const durationOf = (hours: number, t: Translate): string =>
  hours < 24 ? t('shares.hours', { count: hours }) : t('shares.days', { count: hours / 24 });

/** The links by which somebody without a login sees a vehicle: a new one, and those there are. */
export function ShareDialog({ vehicle, onClose }: { vehicle: Vehicle; onClose: () => void }) {
  const { api } = useAppContext();
  const t = useT();
  const vehicleId = vehicle.vehicle_id;
  const read = useCallback(
    async (signal: AbortSignal) =>
      (await api.request(shareRoutes.list, { params: { vehicle: vehicleId }, signal })).items,
    [api, vehicleId],
  );
  const shares = usePolling(read, SHARES_AGAIN_MS);
  const [given, setGiven] = useState<{ name: string; links: readonly string[] } | null>(null);
  return (
    <Modal title={t('shares.title', { name: vehicle.name })} onClose={onClose} width={520}>
      {given === null ? (
        <NewLink
          vehicleId={vehicleId}
          onCreated={(name, links) => {
            setGiven({ name, links });
            shares.again();
          }}
        />
      ) : (
        <GivenLink {...given} onAgain={() => setGiven(null)} />
      )}
      <ShareList shares={shares} label={t('shares.list')} none={t('shares.none')} />
    </Modal>
  );
}

function NewLink({
  vehicleId,
  onCreated,
}: {
  vehicleId: string;
  onCreated: (name: string, links: readonly string[]) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const [form, setForm] = useState(NEW_LINK);
  const { busy, sentence, faults, run } = useAction();
  const change = (part: Partial<ShareForm>) => setForm((before) => ({ ...before, ...part }));
  const { name, shows, side, geozoneId, hours } = form;
  const maySend = !busy && name.trim() !== '' && (side === 'everywhere' || geozoneId !== null);
  const create = () =>
    run(
      async () => {
        const { links } = await app.api.request(shareRoutes.create, {
          params: { vehicle: vehicleId },
          body: {
            name: name.trim(),
            shows: [...shows],
            where: side === 'everywhere' || geozoneId === null ? null : { geozone_id: geozoneId, side },
            expires_at: new Date(app.serverTime.ticks.getState().now + hours * HOUR_MS).toISOString(),
          },
        });
        onCreated(name.trim(), givenLinks(links, originForOthers(app.platform)));
      },
      { fields: ['name', 'where.geozone_id'] },
    );
  return (
    <Form faults={faults} onSubmit={maySend ? create : null}>
      <p className="quiet">{t('shares.about')}</p>
      <div className="share-form__row">
        <TextField
          label={t('shares.name')}
          value={name}
          onChange={(typed) => change({ name: typed })}
          fault={faults['name'] ?? null}
          required
          autoFocus
          maxLength={120}
        />
        <Choice
          label={t('shares.lasts')}
          options={HOURS.map((count) => ({ id: String(count), label: durationOf(count, t) }))}
          value={String(hours)}
          onChange={(chosen) => change({ hours: Number(chosen) })}
        />
      </div>
      <div className="form-field">
        <span className="field__label">{t('shares.shows')}</span>
        <div className="share-form__shows">
          {shareDetails.map((detail) => (
            <Toggle
              key={detail}
              label={t(`shares.detail.${detail}`)}
              on={shows.includes(detail)}
              onChange={(on) =>
                change({ shows: shareDetails.filter((it) => (it === detail ? on : shows.includes(it))) })
              }
            />
          ))}
        </div>
      </div>
      <div className="form-field">
        <span className="field__label">{t('shares.where')}</span>
        <SegmentedControl
          label={t('shares.where')}
          value={side}
          options={SIDES.map((id) => ({ id, label: t(`shares.side.${id}`) }))}
          onChange={(chosen) => change({ side: chosen })}
        />
        {side !== 'everywhere' && (
          <GeofencePicker
            label={t('geofence.title')}
            single
            value={geozoneId === null ? [] : [geozoneId]}
            onChange={(ids) => change({ geozoneId: ids.at(-1) ?? null })}
            fault={faults['where.geozone_id'] ?? null}
          />
        )}
      </div>
      <Failure>{sentence}</Failure>
      <div className="modal__actions">
        <Button kind="primary" submits disabled={!maySend}>
          {t('shares.create')}
        </Button>
      </div>
    </Form>
  );
}

function GivenLink({
  name,
  links,
  onAgain,
}: {
  name: string;
  links: readonly string[];
  onAgain: () => void;
}) {
  const t = useT();
  return (
    <section className="form-column" aria-label={t('shares.created', { name })}>
      <h3>{t('shares.created', { name })}</h3>
      <p>{t('shares.once')}</p>
      <ul className="share-links">
        {links.map((link, at) => (
          <li key={link}>
            <code className="fill shown-once">{link}</code>
            <CopyButton text={link} label={t('shares.copy')} autoFocus={at === 0}>
              {t('shares.copy')}
            </CopyButton>
          </li>
        ))}
      </ul>
      {links.length > 1 && <p className="quiet small">{t('shares.which')}</p>}
      {links.every(isOfServerAlone) && <p className="form-sentence">{t('shares.unreachable')}</p>}
      <div>
        <Button onPress={onAgain}>{t('shares.another')}</Button>
      </div>
    </section>
  );
}
