import { useStore } from 'zustand';
import type { Snooze } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useT } from '../i18n/useT.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { untilText } from './snoozeText.ts';

/** What keeps still now, each with its end and a button that ends it. Nothing while nothing does. */
export function ActiveSnoozes() {
  const app = useAppContext();
  const t = useT();
  const now = useNow();
  const { byId } = useStore(app.snoozes.store);
  const { busy, sentence, run } = useAction();
  const running = [...byId.values()]
    .filter((it) => Date.parse(it.until) > now)
    .sort((a, b) => (a.until < b.until ? -1 : 1));
  if (running.length === 0) return null;
  return (
    <section className="snoozes" aria-label={t('snooze.running')}>
      <h3>{t('snooze.running')}</h3>
      <ul>
        {running.map((it) => (
          <RunningSnooze
            key={it.snooze_id}
            snooze={it}
            now={now}
            busy={busy}
            onEnd={(act) => void run(act)}
          />
        ))}
      </ul>
      <Failure>{sentence}</Failure>
    </section>
  );
}

function RunningSnooze({
  snooze,
  now,
  busy,
  onEnd,
}: {
  snooze: Snooze;
  now: number;
  busy: boolean;
  onEnd: (act: () => Promise<unknown>) => void;
}) {
  const app = useAppContext();
  const t = useT();
  const time = useDepotTime();
  const vehicle = useVehicleName(snooze.vehicle_id ?? '');
  const names = useStore(app.userNames, (state) => state.byId);
  const lost = useStore(app.connection, ({ link }) => link.phase === 'lost');
  const rule = useStore(app.notifications.store, ({ byId }) => ruleName(snooze.rule_id, byId.values()));

  const end = () => onEnd(() => app.snoozeActions.end(snooze.snooze_id));

  const name = snooze.vehicle_id === null ? (rule ?? t('snooze.a_rule')) : vehicle;
  const details = t('snooze.until_by', {
    time: untilText(Date.parse(snooze.until), time, now),
    user: names.get(snooze.created_by) ?? t('user.another'),
  });
  return (
    <li className="snoozes__row">
      <span className="fill ellipsis" title={snooze.note ?? undefined}>
        <span className="strong">{name}</span> <span className="quiet">{details}</span>
        {snooze.note !== null && <span className="faint"> · {snooze.note}</span>}
      </span>
      <Button size="small" disabled={busy || lost} label={t('snooze.end_of', { name })} onPress={end}>
        {t('snooze.end')}
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
