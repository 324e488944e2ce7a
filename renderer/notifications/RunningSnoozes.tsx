import { useState } from 'react';
import { useStore } from 'zustand';
import type { Snooze } from '../../server/contract/notifications.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useDepotTime, useNow } from '../desk/useMoment.ts';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { sentenceOf } from '../ui/formFaults.ts';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { untilText } from './shelfText.ts';

/** What keeps still now, each with its end and a button that ends it. Nothing while nothing does. */
export function RunningSnoozes() {
  const desk = useDesk();
  const say = useText();
  const now = useNow();
  const { byId } = useStore(desk.snoozes.store);
  const [sentence, setSentence] = useState<string | null>(null);
  const running = [...byId.values()]
    .filter((it) => Date.parse(it.until) > now)
    .sort((a, b) => (a.until < b.until ? -1 : 1));
  if (running.length === 0) return null;
  return (
    <section className="snoozes" aria-label={say('snooze.running')}>
      <h3>{say('snooze.running')}</h3>
      <ul>
        {running.map((it) => (
          <RunningSnooze key={it.snooze_id} snooze={it} now={now} onFault={setSentence} />
        ))}
      </ul>
      {sentence !== null && (
        <p className="form-sentence" role="alert">
          {sentence}
        </p>
      )}
    </section>
  );
}

function RunningSnooze({
  snooze,
  now,
  onFault,
}: {
  snooze: Snooze;
  now: number;
  onFault: (sentence: string | null) => void;
}) {
  const desk = useDesk();
  const say = useText();
  const time = useDepotTime();
  const vehicle = useVehicleName(snooze.vehicle_id ?? '');
  const names = useStore(desk.userNames, (state) => state.byId);
  const lost = useStore(desk.connection, ({ link }) => link.phase === 'lost');
  const rule = useStore(desk.notifications.store, ({ byId }) => ruleName(snooze.rule_id, byId.values()));
  const [busy, setBusy] = useState(false);

  const end = async () => {
    setBusy(true);
    try {
      await desk.snoozeActions.end(snooze.snooze_id);
      onFault(null);
    } catch (error) {
      onFault(sentenceOf(error, say));
      setBusy(false);
    }
  };

  const name = snooze.vehicle_id === null ? (rule ?? say('snooze.a_rule')) : vehicle;
  const details = say('snooze.until_by', {
    time: untilText(Date.parse(snooze.until), time, now),
    user: names.get(snooze.created_by) ?? say('user.another'),
  });
  return (
    <li className="snoozes__row">
      <span className="fill ellipsis" title={snooze.note ?? undefined}>
        <span className="strong">{name}</span> <span className="quiet">{details}</span>
        {snooze.note !== null && <span className="faint"> · {snooze.note}</span>}
      </span>
      <Button
        size="small"
        disabled={busy || lost}
        label={say('snooze.end_of', { name })}
        onPress={() => void end()}
      >
        {say('snooze.end')}
      </Button>
    </li>
  );
}

/** As the rows that the rule made call it. */
function ruleName(
  ruleId: string | null,
  notifications: Iterable<{ rule_id: string | null; rule_name: string }>,
): string | null {
  for (const it of notifications) if (it.rule_id === ruleId) return it.rule_name;
  return null;
}
