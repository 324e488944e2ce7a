import { detailText } from '../ui/formFaults.ts';
import { useStore } from 'zustand';
import type { IntakeListener, IntakeState } from '../../server/contract/intake.ts';
import type { Settings } from '../../server/contract/settings.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useLostSince } from '../appContext/useMoment.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { changeSettings } from '../settings/changeSettings.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Choice } from '../ui/Select.tsx';
import { Failure } from '../ui/Form.tsx';
import { Ago } from '../ui/Moment.tsx';
import {
  listenerAddress,
  inOrder,
  type ListenerAddress,
  transportWords,
  rejectionLabels,
} from './intakeLabels.ts';

/** Every listener: its protocol, what to enter in a terminal, its connections and its rejections. */
export function ListenerTable({ intake, host }: { intake: IntakeState; host: string }) {
  const t = useT();
  return (
    <table className="listeners">
      <caption className="unseen">{t('intake.listeners')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('intake.column.for')}</th>
          <th scope="col">{t('intake.column.enter')}</th>
          <th scope="col" className="to-right">
            {t('intake.column.connected')}
          </th>
          <th scope="col" className="to-right">
            {t('intake.column.messages')}
          </th>
          <th scope="col">{t('intake.column.became')}</th>
          <th scope="col">{t('intake.column.rejections')}</th>
        </tr>
      </thead>
      <tbody>
        {inOrder(intake.listeners).map((listener) => (
          <tr key={listener.name}>
            <th scope="row">
              <span>
                <span className="strong">{t(`protocol.${listener.name}`)}</span>{' '}
                <span className="faint small">{transportWords(listener, t)}</span>
              </span>
              <span className="quiet">{t(`intake.for.${listener.name}`)}</span>
              {listener.name === 'osmand' && <SpeedUnitChoice />}
            </th>
            <td>
              <Address address={listenerAddress(listener, host, intake.media_address)} />
              {listener.error !== null && (
                <p className="listeners__fault hatch">
                  {t('intake.listener_error', {
                    fault: detailText({ detail: listener.error, causes: listener.error_causes }, t),
                  })}
                </p>
              )}
            </td>
            <td className="to-right">{formatNumber(listener.connections)}</td>
            <td className="to-right">
              {formatNumber(listener.messages)}
              {listener.last_message_at !== null && (
                <span className="listeners__under">
                  <Ago since={Date.parse(listener.last_message_at)} />
                </span>
              )}
            </td>
            <td>
              <Became listener={listener} />
            </td>
            <td>
              <TurnedAway listener={listener} />
              <WrongPorts listener={listener} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Address({ address }: { address: ListenerAddress }) {
  const t = useT();
  switch (address.kind) {
    case 'published':
      return (
        <span className="quiet">
          {t('intake.set_automatically')}{' '}
          <code>
            {address.host}:{address.port}
          </code>
        </span>
      );
    case 'url':
      return <Entry name={t('intake.host')} value={address.url} />;
    case 'host_and_port':
      return (
        <div className="listeners__entries">
          <Entry name={t('intake.host')} value={address.host} />
          <Entry name={t('intake.port')} value={String(address.port)} />
        </div>
      );
  }
}

function Entry({ name, value }: { name: string; value: string }) {
  return (
    <span className="listeners__entry">
      <span className="faint small">{name}</span>
      <code>{value}</code>
      <CopyButton text={value} />
    </span>
  );
}

const BECAME = ['stored', 'merged', 'duplicate', 'rejected', 'unknown'] as const;

function Became({ listener }: { listener: IntakeListener }) {
  const t = useT();
  const there = BECAME.filter((name) => listener[name] > 0);
  if (there.length === 0) return <span className="faint">{t('intake.nothing_yet')}</span>;
  return (
    <ul>
      {there.map((name) => (
        <li key={name}>
          {formatNumber(listener[name])} <span className="quiet">{t(`intake.outcome.${name}`)}</span>
        </li>
      ))}
    </ul>
  );
}

function TurnedAway({ listener }: { listener: IntakeListener }) {
  const t = useT();
  const { total, words } = rejectionLabels(listener, t);
  if (total === 0) return <span className="faint">{t('intake.no_rejections')}</span>;
  return (
    <ul>
      {words.map((it) => (
        <li key={it}>{it}</li>
      ))}
    </ul>
  );
}

/** What came here of other protocols, with the port to use. */
function WrongPorts({ listener }: { listener: IntakeListener }) {
  const t = useT();
  if (listener.wrong_port.length === 0) return null;
  return (
    <ul className="listeners__wrong">
      {listener.wrong_port.map(({ protocol, message, count, address, last_at }) => (
        <li key={protocol}>
          <span className="strong">{message}</span>
          <span className="listeners__under">
            {t('intake.wrong_port', {
              count,
              number: formatNumber(count),
              address: address ?? t('intake.no_address'),
            })}
            , <Ago since={Date.parse(last_at)} />
          </span>
        </li>
      ))}
    </ul>
  );
}

type SpeedUnit = Settings['osmand_speed_unit'];

/** In which unit phones name their speed: the message does not say it, and apps differ. */
function SpeedUnitChoice() {
  const app = useAppContext();
  const t = useT();
  const lost = useLostSince() !== null;
  const settings = useStore(app.settings, (state) => state.settings);
  const { busy, sentence, run } = useAction();
  const change = (osmand_speed_unit: SpeedUnit) => {
    if (settings === null || osmand_speed_unit === settings.osmand_speed_unit) return;
    void run(() => changeSettings(app, settings, { osmand_speed_unit }), {
      texts: { version_conflict: t('intake.speed_unit_conflict') },
    });
  };

  if (settings === null) return null;
  return (
    <div className="listeners__unit">
      <Choice<SpeedUnit>
        label={t('intake.speed_unit')}
        value={settings.osmand_speed_unit}
        onChange={change}
        disabled={busy || lost}
        options={[
          { id: 'kn', label: t('intake.speed_unit.kn') },
          { id: 'kmh', label: t('intake.speed_unit.kmh') },
          { id: 'ms', label: t('intake.speed_unit.ms') },
        ]}
      />
      <Failure>{sentence}</Failure>
    </div>
  );
}
