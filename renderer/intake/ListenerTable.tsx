import type { IntakeListener, IntakeState } from '../../server/contract/intake.ts';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Ago } from './Ago.tsx';
import { listenerAddress, inOrder, type ListenerAddress } from './listenerAddress.ts';
import { SpeedUnitChoice } from './SpeedUnitChoice.tsx';
import { transportWords, rejectionLabels } from './intakeLabels.ts';

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
                  {t('intake.listener_error', { fault: listener.error })}
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

const BECAME = ['stored', 'merged', 'duplicate', 'refused', 'unknown'] as const;

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
