import { useState } from 'react';
import { useStore } from 'zustand';
import type { NotificationWhy } from '../../server/contract/notifications.ts';
import type { Rule } from '../../server/contract/rules.ts';
import { useDesk } from '../desk/DeskContext.tsx';
import { useText } from '../i18n/useText.ts';
import { Button } from '../ui/Button.tsx';
import { Moment } from './Moments.tsx';
import { ruleChanges, ruleLines } from './ruleChanges.ts';

/** The rule as it was then, and what has become of it since. */
export function WhyRule({ why, ruleNow }: { why: NotificationWhy; ruleNow: Rule | null }) {
  const desk = useDesk();
  const say = useText();
  const fences = useStore(desk.geofences.store, (state) => state.byId);
  const [whole, setWhole] = useState(false);
  const { rule, rule_now, notification } = why;
  const names = { say, geofence: (id: string) => fences.get(id)?.name ?? null };
  const changes = rule === null || ruleNow === null ? [] : ruleChanges(rule, ruleNow, names);
  return (
    <section className="why__section">
      <div className="why__head">
        <h3>{say('why.rule', { name: rule?.name ?? notification.rule_name })}</h3>
        {rule !== null && (
          <Button size="small" kind="quiet" onPress={() => setWhole(!whole)}>
            {whole ? say('why.rule_fewer') : say('why.rule_all')}
          </Button>
        )}
      </div>
      {rule_now === 'same' && <p className="quiet">{say('why.rule_same')}</p>}
      {rule_now === 'deleted' && <p>{say('why.rule_deleted')}</p>}
      {rule_now === 'changed' && (
        <>
          <p>
            {say('why.rule_changed')}
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
                  <th scope="col">{say('why.field')}</th>
                  <th scope="col">{say('why.then')}</th>
                  <th scope="col">{say('why.now')}</th>
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
