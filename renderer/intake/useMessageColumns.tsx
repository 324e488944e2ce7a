import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { IntakeMessage } from '../../server/contract/intake.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { formatNumber } from '../format/numbers.ts';
import { useT } from '../i18n/useT.ts';
import type { Column } from '../ui/DataTable.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { codeText, summarize, outcomeText } from './intakeLabels.ts';
import { knownTerminals, messageStatus, type MessageStatus } from './messageStatus.ts';
import { StatusMark } from './StatusMark.tsx';

/** What somebody who sets up a terminal must see first. */
const troubles: readonly MessageStatus[] = ['failed', 'unknown', 'unreadable', 'refused'];

type ColumnId = 'time' | 'terminal' | 'listener' | 'address' | 'length' | 'gist' | 'became';

/** @param narrow beside an open message, which says the rest */
export function useMessageColumns(narrow: boolean): readonly Column<IntakeMessage>[] {
  const { vehicles } = useAppContext();
  const t = useT();
  const byId = useStore(vehicles.store, (state) => state.byId);
  const isKnown = useMemo(() => knownTerminals(byId.values()), [byId]);
  return useMemo(() => {
    const column = (
      id: ColumnId,
      width: string,
      value: Column<IntakeMessage>['value'],
      rest: Partial<Column<IntakeMessage>> = {},
    ): Column<IntakeMessage> => ({
      id,
      head: t(`intake.message.${id}`),
      width,
      value,
      sortable: false,
      ...rest,
    });
    const all = [
      column('time', '64px', ({ at }) => at, {
        cell: ({ at }) => <TimeOfDay at={Date.parse(at)} />,
      }),
      column('terminal', '144px', ({ terminal_id }) => terminal_id ?? t('intake.nobody'), {
        isName: true,
      }),
      column('listener', '88px', ({ listener }) => t(`intake.short.${listener}`)),
      column('address', '112px', ({ address, transport }) => `${address ?? '–'} ${transport}`, {
        cell: ({ address, transport }) => (
          <span title={transport.toUpperCase()}>{address ?? t('intake.no_address')}</span>
        ),
      }),
      column('length', '56px', ({ size_bytes: length }) => length, {
        align: 'end',
        cell: ({ size_bytes: length }) => `${formatNumber(length)} B`,
      }),
      column('gist', 'minmax(160px, 1fr)', (message) => summarize(message, t), {
        cell: (message) => (
          <span title={message.summary ?? summarize(message, t)}>{summarize(message, t)}</span>
        ),
      }),
      column('became', narrow ? '168px' : '264px', (message) => outcomeText(message, t), {
        cell: (message) => <Became message={message} isKnown={isKnown} withCode={!narrow} />,
      }),
    ];
    return narrow ? all.filter(({ id }) => !['listener', 'address', 'length'].includes(id)) : all;
  }, [t, isKnown, narrow]);
}

function Became({
  message,
  isKnown,
  withCode,
}: {
  message: IntakeMessage;
  isKnown: (terminal: string) => boolean;
  withCode: boolean;
}) {
  const t = useT();
  const verdict = messageStatus(message, isKnown);
  const words = outcomeText(message, t);
  const code = codeText(message);
  return (
    <span
      className={`verdict ${troubles.includes(verdict) ? 'strong' : 'quiet'}`}
      title={code === '' ? words : `${words}: ${code}`}
    >
      <StatusMark verdict={verdict} />
      <span className="ellipsis">{words}</span>
      {withCode && code !== '' && <code className="faint ellipsis">{code}</code>}
    </span>
  );
}
