import { terminalKey } from '../../server/contract/sameKeys.ts';
import { X } from 'lucide-react';
import { Fragment, useMemo, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { DecodedReport, IntakeMessage } from '../../server/contract/intake.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { useAddTerminal } from '../vehicles/manage/unknownTerminals.tsx';
import { canBeAdded, messageStatus, StatusMark } from './StatusMark.tsx';
import { formatCodes, formatOutcome, refusalWords, reportFacts, saysMore } from './intakeLabels.ts';
import { formatLength, formatMessage, formatTransport, formatHex } from './messageText.ts';

/** One message as it came: its bytes, what they were understood as, what became of it and what was answered. */
export function MessagePanel({
  message,
  onClose,
  onOnly,
}: {
  message: IntakeMessage;
  onClose: () => void;
  /** Shows the messages of its terminal alone. */
  onOnly: (terminalId: string) => void;
}) {
  const t = useT();
  const terminal = message.terminal_id;
  return (
    <section
      className="pane manage__side intake-side"
      aria-label={t('intake.message')}
      data-pane
      tabIndex={-1}
    >
      <div className="manage__side-head">
        <h2 className="fill ellipsis" title={terminal ?? ''}>
          {terminal ?? t('intake.nobody')}
        </h2>
        {terminal !== null && (
          <Button size="small" label={t('intake.only_of', { terminal })} onPress={() => onOnly(terminal)}>
            {t('intake.only')}
          </Button>
        )}
        <IconButton icon={X} label={t('ui.close')} keycap="Esc" onPress={onClose} />
      </div>
      <div className="manage__side-body" tabIndex={0} role="group" aria-label={t('intake.message_all')}>
        <Understanding message={message} />
        <Part title={t('intake.hex')}>
          <dl className="facts">
            <dt className="quiet">{t('intake.came')}</dt>
            <dd>
              <TimeOfDay at={Date.parse(message.at)} withDate />
            </dd>
            <dt className="quiet">{t('intake.by')}</dt>
            <dd>{formatTransport(message, t)}</dd>
            <dt className="quiet">{t('intake.from')}</dt>
            <dd>{message.address ?? t('intake.no_address')}</dd>
            <dt className="quiet">{t('intake.length')}</dt>
            <dd>{formatLength(message, t)}</dd>
          </dl>
          {message.masked && <p className="quiet small">{t('intake.masked')}</p>}
          <HexBlock hex={message.hex} label={t('intake.hex')} />
        </Part>
        {message.reports.filter(saysMore).map((report, index) => (
          <Part key={index} title={t('intake.report', { number: index + 1, of: message.report_count })}>
            <ReportFacts report={report} receivedAt={Date.parse(message.at)} />
          </Part>
        ))}
        <Part title={t('intake.answer')}>
          {message.response_hex === null ? (
            <p className="quiet">{t('intake.not_answered')}</p>
          ) : (
            <HexBlock hex={message.response_hex} label={t('intake.answer')} />
          )}
        </Part>
      </div>
      <div className="manage__foot">
        <span className="fill quiet small">{t('intake.copy_about')}</span>
        <CopyButton text={formatMessage(message, t)} label={t('intake.copy_text')}>
          {t('intake.copy_text')}
        </CopyButton>
      </div>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="manage__section">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function ReportFacts({ report, receivedAt }: { report: DecodedReport; receivedAt: number }) {
  const t = useT();
  const time = useDepotTime();
  const moment = (ms: number) => `${time.date(ms)} ${time.clock(ms)}`;
  return (
    <dl className="facts">
      {reportFacts(report, receivedAt, t, moment).map(([name, value]) => (
        <Fragment key={name}>
          <dt className="quiet ellipsis" title={name}>
            {name}
          </dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** What became of the message, and what can be done where it did not get through. */
function Understanding({ message }: { message: IntakeMessage }) {
  const { vehicles, navigation, settings } = useAppContext();
  const t = useT();
  const byId = useStore(vehicles.store, (state) => state.byId);
  const terminal = message.terminal_id;
  const vehicle = useMemo(() => {
    const key = terminal === null ? null : terminalKey(terminal);
    return [...byId.values()].find((it) => terminalKey(it.terminal_id) === key) ?? null;
  }, [byId, terminal]);
  const verdict = messageStatus(message, () => vehicle !== null);
  const code = formatCodes(message);
  const max_future_s = useStore(settings, (state) => state.numbers.max_future_s);
  const why =
    verdict === 'unknown' && vehicle !== null
      ? t('intake.why.added')
      : verdict === 'rejected'
        ? refusalWords(message, { max_future_s, offset_s: vehicle?.clock_offset_s ?? 0 }, t)
        : verdict === 'failed' && message.codes.disk_full !== undefined
          ? t('intake.why.disk_full')
          : t(`intake.why.${verdict}`);
  return (
    <div className="manage__section">
      <dl className="facts">
        <dt className="quiet">{t('intake.became')}</dt>
        <dd className="strong verdict">
          <StatusMark verdict={verdict} />
          {formatOutcome(message, t)}
        </dd>
        {code !== '' && (
          <>
            <dt className="quiet">{t('intake.code')}</dt>
            <dd>
              <code>{code}</code>
            </dd>
          </>
        )}
        {message.summary !== null && (
          <>
            <dt className="quiet">{t('intake.note')}</dt>
            <dd>{message.summary}</dd>
          </>
        )}
        {vehicle !== null && (
          <>
            <dt className="quiet">{t('intake.vehicle')}</dt>
            <dd>
              <a className="in-accent" href={navigation.linkTo('vehicles', { id: vehicle.vehicle_id })}>
                {vehicle.name}
              </a>
            </dd>
          </>
        )}
      </dl>
      <p>{why}</p>
      {verdict === 'unknown' && vehicle === null && terminal !== null && <AddTerminal terminal={terminal} />}
    </div>
  );
}

function AddTerminal({ terminal }: { terminal: string }) {
  const t = useT();
  // The vehicle store shows that it has a vehicle now.
  const { add, mayAdd, fault } = useAddTerminal(terminal, [], () => undefined);
  if (!canBeAdded(terminal)) return <p className="quiet">{t('intake.no_terminal_id')}</p>;
  return (
    <div className="manage__buttons">
      <Button
        kind="primary"
        label={t('vehicles.unknown_terminal_add', { terminal })}
        disabled={!mayAdd}
        onPress={() => add()}
      >
        {t('intake.add')}
      </Button>
      {fault !== null && (
        <span className="strong" role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

/** Bytes in hex, in columns, to be selected and copied. */
function HexBlock({ hex, label }: { hex: string; label: string }) {
  return (
    <pre className="hex-block" aria-label={label} role="group">
      {formatHex(hex)}
    </pre>
  );
}
