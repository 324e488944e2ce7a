import { X } from 'lucide-react';
import { Fragment, useMemo, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { DecodedReport, IntakeMessage } from '../../server/contract/intake.ts';
import { terminalKey } from '../../server/contract/fields.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { useAddTerminal } from '../vehicles/manage/useAddTerminal.ts';
import { HexBlock } from './HexBlock.tsx';
import { codeText, outcomeText, refusalWords, reportFacts, saysMore } from './intakeWords.ts';
import { lengthText, messageText, wayText } from './messageText.ts';
import { canBeAdded, verdictOf } from './verdict.ts';
import { VerdictMark } from './VerdictMark.tsx';

/** One message as it came: its bytes, what they were understood as, what became of it and what was answered. */
export function MessageSide({
  message,
  onClose,
  onOnly,
}: {
  message: IntakeMessage;
  onClose: () => void;
  /** Shows the messages of its terminal alone. */
  onOnly: (terminalId: string) => void;
}) {
  const say = useText();
  const terminal = message.terminal_id;
  return (
    <section
      className="pane manage__side intake-side"
      aria-label={say('intake.message')}
      data-pane
      tabIndex={-1}
    >
      <div className="manage__side-head">
        <h2 className="fill ellipsis" title={terminal ?? ''}>
          {terminal ?? say('intake.nobody')}
        </h2>
        {terminal !== null && (
          <Button size="small" label={say('intake.only_of', { terminal })} onPress={() => onOnly(terminal)}>
            {say('intake.only')}
          </Button>
        )}
        <IconButton icon={X} label={say('ui.close')} keycap="Esc" onPress={onClose} />
      </div>
      <div className="manage__side-body" tabIndex={0} role="group" aria-label={say('intake.message_all')}>
        <Understanding message={message} />
        <Part title={say('intake.hex')}>
          <dl className="facts">
            <dt className="quiet">{say('intake.came')}</dt>
            <dd>
              <TimeOfDay at={Date.parse(message.at)} withDate />
            </dd>
            <dt className="quiet">{say('intake.by')}</dt>
            <dd>{wayText(message, say)}</dd>
            <dt className="quiet">{say('intake.from')}</dt>
            <dd>{message.address ?? say('intake.no_address')}</dd>
            <dt className="quiet">{say('intake.length')}</dt>
            <dd>{lengthText(message, say)}</dd>
          </dl>
          {message.masked && <p className="quiet small">{say('intake.masked')}</p>}
          <HexBlock hex={message.hex} label={say('intake.hex')} />
        </Part>
        {message.reports.filter(saysMore).map((report, index) => (
          <Part key={index} title={say('intake.report', { number: index + 1, of: message.decoded })}>
            <ReportFacts report={report} receivedAt={Date.parse(message.at)} />
          </Part>
        ))}
        <Part title={say('intake.answer')}>
          {message.answer_hex === null ? (
            <p className="quiet">{say('intake.not_answered')}</p>
          ) : (
            <HexBlock hex={message.answer_hex} label={say('intake.answer')} />
          )}
        </Part>
      </div>
      <div className="manage__foot">
        <span className="fill quiet small">{say('intake.copy_about')}</span>
        <CopyButton text={messageText(message, say)} label={say('intake.copy_text')}>
          {say('intake.copy_text')}
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
  const say = useText();
  const time = useDepotTime();
  const moment = (ms: number) => `${time.date(ms)} ${time.clock(ms)}`;
  return (
    <dl className="facts">
      {reportFacts(report, receivedAt, say, moment).map(([name, value]) => (
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
  const { vehicles, navigation, settings } = useDesk();
  const say = useText();
  const byId = useStore(vehicles.store, (state) => state.byId);
  const terminal = message.terminal_id;
  const vehicle = useMemo(() => {
    const key = terminal === null ? null : terminalKey(terminal);
    return [...byId.values()].find((it) => terminalKey(it.terminal_id) === key) ?? null;
  }, [byId, terminal]);
  const verdict = verdictOf(message, () => vehicle !== null);
  const code = codeText(message);
  const future_s = useStore(settings, (state) => state.numbers.future_s);
  const why =
    verdict === 'unknown' && vehicle !== null
      ? say('intake.why.added')
      : verdict === 'refused'
        ? refusalWords(message, { future_s, offset_s: vehicle?.clock_offset_s ?? 0 }, say)
        : verdict === 'failed' && message.codes.disk_full !== undefined
          ? say('intake.why.disk_full')
          : say(`intake.why.${verdict}`);
  return (
    <div className="manage__section">
      <dl className="facts">
        <dt className="quiet">{say('intake.became')}</dt>
        <dd className="strong verdict">
          <VerdictMark verdict={verdict} />
          {outcomeText(message, say)}
        </dd>
        {code !== '' && (
          <>
            <dt className="quiet">{say('intake.code')}</dt>
            <dd>
              <code>{code}</code>
            </dd>
          </>
        )}
        {message.note !== null && (
          <>
            <dt className="quiet">{say('intake.note')}</dt>
            <dd>{message.note}</dd>
          </>
        )}
        {vehicle !== null && (
          <>
            <dt className="quiet">{say('intake.vehicle')}</dt>
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
  const say = useText();
  // That it has a vehicle now, the vehicles tell.
  const { add, mayAdd, fault } = useAddTerminal(terminal, [], () => undefined);
  if (!canBeAdded(terminal)) return <p className="quiet">{say('intake.no_terminal_id')}</p>;
  return (
    <div className="manage__buttons">
      <Button kind="primary" label={say('vehicles.knock_add', { terminal })} disabled={!mayAdd} onPress={add}>
        {say('intake.add')}
      </Button>
      {fault !== null && (
        <span className="strong" role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}
