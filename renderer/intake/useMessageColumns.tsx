import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { IntakeMessage } from '../../server/contract/intake.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { numberText } from '../format/numbers.ts';
import { useText } from '../i18n/useText.ts';
import type { Column } from '../ui/DataTable.tsx';
import { TimeOfDay } from '../ui/Moment.tsx';
import { codeText, gistOf, outcomeText } from './intakeWords.ts';
import { knownTerminals, verdictOf, type Verdict } from './verdict.ts';
import { VerdictMark } from './VerdictMark.tsx';

/** What somebody who sets up a terminal must see first. */
const troubles: readonly Verdict[] = ['failed', 'unknown', 'unreadable', 'refused'];

type ColumnId = 'time' | 'terminal' | 'door' | 'address' | 'length' | 'gist' | 'became';

/** @param narrow beside an open message, which says the rest */
export function useMessageColumns(narrow: boolean): readonly Column<IntakeMessage>[] {
  const { vehicles } = useDesk();
  const say = useText();
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
      head: say(`intake.message.${id}`),
      width,
      value,
      sortable: false,
      ...rest,
    });
    const all = [
      column('time', '64px', ({ at }) => at, {
        cell: ({ at }) => <TimeOfDay at={Date.parse(at)} />,
      }),
      column('terminal', '144px', ({ terminal_id }) => terminal_id ?? say('intake.nobody'), {
        isName: true,
      }),
      column('door', '88px', ({ door }) => say(`intake.short.${door}`)),
      column('address', '112px', ({ address, transport }) => `${address ?? '–'} ${transport}`, {
        cell: ({ address, transport }) => (
          <span title={transport.toUpperCase()}>{address ?? say('intake.no_address')}</span>
        ),
      }),
      column('length', '56px', ({ length }) => length, {
        align: 'end',
        cell: ({ length }) => `${numberText(length)} B`,
      }),
      column('gist', 'minmax(160px, 1fr)', (message) => gistOf(message, say), {
        cell: (message) => <span title={message.note ?? gistOf(message, say)}>{gistOf(message, say)}</span>,
      }),
      column('became', narrow ? '168px' : '264px', (message) => outcomeText(message, say), {
        cell: (message) => <Became message={message} isKnown={isKnown} withCode={!narrow} />,
      }),
    ];
    return narrow ? all.filter(({ id }) => !['door', 'address', 'length'].includes(id)) : all;
  }, [say, isKnown, narrow]);
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
  const say = useText();
  const verdict = verdictOf(message, isKnown);
  const words = outcomeText(message, say);
  const code = codeText(message);
  return (
    <span
      className={`verdict ${troubles.includes(verdict) ? 'strong' : 'quiet'}`}
      title={code === '' ? words : `${words}: ${code}`}
    >
      <VerdictMark verdict={verdict} />
      <span className="ellipsis">{words}</span>
      {withCode && code !== '' && <code className="faint ellipsis">{code}</code>}
    </span>
  );
}
