import { useState } from 'react';
import { useStore } from 'zustand';
import type { NotificationWhy } from '../../server/contract/notifications.ts';
import type { Rule } from '../../server/contract/rules.ts';
import { useAppContext } from '../appContext/AppContextProvider.tsx';
import { useT } from '../i18n/useT.ts';
import { Button } from '../ui/Button.tsx';
import { Moment } from './Moments.tsx';
import { ruleChanges, ruleLines } from './ruleChanges.ts';

/** The rule as it was then, and what has become of it since. */
export function WhyRule({ why, ruleNow }: { why: NotificationWhy; ruleNow: Rule | null }) {
  const app = useAppContext();
  const t = useT();
  const geofences = useStore(app.geofences.store, (state) => state.byId);
  const [whole, setWhole] = useState(false);
  const { rule, rule_now, notification } = why;
  const names = { t, geofence: (id: string) => geofences.get(id)?.name ?? null };
  const changes = rule === null || ruleNow === null ? [] : ruleChanges(rule, ruleNow, names);
  return (
    <section className="why__section">
      <div className="why__head">
        <h3>{t('why.rule', { name: rule?.name ?? notification.rule_name })}</h3>
        {rule !== null && (
          <Button size="small" kind="quiet" onPress={() => setWhole(!whole)}>
            {whole ? t('why.rule_fewer') : t('why.rule_all')}
          </Button>
        )}
      </div>
      {rule_now === 'same' && <p className="quiet">{t('why.rule_same')}</p>}
      {rule_now === 'deleted' && <p>{t('why.rule_deleted')}</p>}
      {rule_now === 'changed' && (
        <>
          <p>
            {t('why.rule_changed')}
            {ruleNow !== null && (
              <>
                {' '}
                <Moment at={ruleNow.updated_at} />
              </>
            )}
          </p>
          {changes.length > 0 && (
            <table className="why__table">
              <thead>
                <tr>
                  <th scope="col">{t('why.field')}</th>
                  <th scope="col">{t('why.then')}</th>
                  <th scope="col">{t('why.now')}</th>
                </tr>
              </thead>
              <tbody>
                {changes.map((change) => (
                  <tr key={change.id}>
                    <th scope="row" className="quiet">
                      {change.label}
                    </th>
                    <td>{change.then}</td>
                    <td>{change.now}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
      {rule !== null && whole && (
        <dl className="why__facts">
          {ruleLines(rule, names).map((line) => (
            <div key={line.id} className="why__fact">
              <dt className="quiet">{line.label}</dt>
              <dd>{line.value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
