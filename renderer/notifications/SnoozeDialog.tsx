import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { maxSnoozeS, type Snooze } from '../../server/contract/notifications.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { ActionDialog } from '../resources/ActionDialog.tsx';
import { RadioRows } from '../ui/RadioRows.tsx';
import { useVehicleName } from '../vehicles/useVehicleName.ts';
import { SnoozeFields, useSnoozeFields } from './SnoozeFields.tsx';
import { formatUntil } from './snoozes.ts';
import { useDepotTime, useNow } from '../appContext/useMoment.ts';
import { useAction } from '../resources/useAction.ts';
import { Button } from '../ui/Button.tsx';
import { Failure } from '../ui/Form.tsx';
import { ruleRoutes } from '../../server/contract/rules.ts';
import { mayWrite } from '../navigation/navigation.ts';
import './SnoozeDialog.css';

export interface SnoozeDialogProps {
  /** Null: the row is of the server itself, and its rule alone can be snoozed. */
  vehicleId: string | null;
  /** The rule of the row that it was opened from; null for a vehicle alone. */
  rule: { rule_id: string; name: string } | null;
  /** The row calls for help: a snooze of its vehicle would not shelve it. */
  isSos: boolean;
  onClose: () => void;
}

/** Lets a vehicle or a rule keep still for a while, and ends what keeps still. */
export function SnoozeDialog({ vehicleId, rule, isSos, onClose }: SnoozeDialogProps) {
  const app = useAppContext();
  const t = useT();
  const vehicle = useVehicleName(vehicleId);
  const maySnoozeRule = useMaySnoozeRule(rule?.rule_id ?? null);
  const [chosen, setChosen] = useState<'vehicle' | 'rule' | null>(null);
  const fields = useSnoozeFields();
  const { duration_s } = fields;
  const lost = useStore(app.connection, ({ link }) => link.phase === 'lost');

  const what =
    vehicleId === null ? 'rule' : (chosen ?? (isSos && maySnoozeRule === true ? 'rule' : 'vehicle'));

  return (
    <ActionDialog
      title={t('snooze.title')}
      submit={t('snooze.snooze')}
      disabled={lost}
      check={() =>
        duration_s === null ? { minutes: t('snooze.own_fault', { days: maxSnoozeS / 86_400 }) } : {}
      }
      act={() =>
        app.snoozeActions.snooze({
          ...(what === 'rule' && rule !== null ? { rule_id: rule.rule_id } : { vehicle_id: vehicleId ?? '' }),
          duration_s: duration_s ?? 0,
          note: fields.noteOrNull,
        })
      }
      onClose={onClose}
      below={<ActiveSnoozes />}
    >
      {(faults) => (
        <>
          <RadioRows
            label={t('snooze.what')}
            value={what}
            onChange={setChosen}
            options={[
              ...(vehicleId === null
                ? []
                : [
                    {
                      id: 'vehicle' as const,
                      label: t('snooze.vehicle', { vehicle }),
                      hint: t('snooze.vehicle_hint'),
                    },
                  ]),
              ...(rule === null
                ? []
                : [
                    {
                      id: 'rule' as const,
                      label: t('snooze.rule', { rule: rule.name }),
                      hint: t(maySnoozeRule === false ? 'snooze.rule_not_yours' : 'snooze.rule_hint'),
                      disabled: maySnoozeRule !== true,
                    },
                  ]),
            ]}
          />
          <SnoozeFields fields={fields} fault={faults['minutes'] ?? null} />
        </>
      )}
    </ActionDialog>
  );
}

/** What keeps still now, each with its end and a button that ends it. Nothing while nothing does. */
function ActiveSnoozes() {
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
    time: formatUntil(Date.parse(snooze.until), time, now),
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

/** Dealers snooze every rule, users their own. Null while nobody knows whose it is. */
function useMaySnoozeRule(ruleId: string | null): boolean | null {
  const app = useAppContext();
  const { api, user } = app;
  const isDealer = user.role === 'dealer';
  const [owner, setOwner] = useState<{ ruleId: string; isOwn: boolean } | null>(null);

  useEffect(() => {
    if (isDealer || ruleId === null) return;
    const abort = new AbortController();
    api.request(ruleRoutes.get, { params: { rule_id: ruleId }, signal: abort.signal }).then(
      (rule) => setOwner({ ruleId, isOwn: rule.owner_id === user.user_id }),
      // Deleted or not to be seen: in either case nothing that can be snoozed.
      () => {
        if (!abort.signal.aborted) setOwner({ ruleId, isOwn: false });
      },
    );
    return () => abort.abort();
  }, [api, isDealer, ruleId, user]);

  if (!mayWrite(app.user, 'notifications') || ruleId === null) return false;
  if (isDealer) return true;
  return owner?.ruleId === ruleId ? owner.isOwn : null;
}
