import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createMailPace,
  paceOfAddress,
  paceOfOwner,
  paceOfRule,
} from '../../../../server/notifications/channels/mailPace.ts';
import { maxWaiting } from '../../../../server/notifications/channels/deliveries.ts';
import { emptyBatch, type DeliveryRow } from '../../../../server/store/telemetry/rows.ts';
import { groups, openDepot, start_ms } from '../depot.ts';
import { notificationRow } from '../rows.ts';
import { openMailServer } from './mailServer.ts';
import { deliveryRow } from './rows.ts';

const { burst, pause_ms } = paceOfRule;
const hourMs = 3_600_000;

describe('the pace of mail', () => {
  it('the pace of mail lets a rule mail an address 49 times in the first hour and 30 times in each further one', () => {
    const pace = createMailPace(paceOfRule);
    const mail = { rule_id: 'r', target: 'a@example.org' };
    const sent = [0, 0, 0];
    for (let now_ms = 0; now_ms < 3 * hourMs; now_ms += 1_000) {
      for (let tries = 0; tries < 100 && pace.freeAt(mail, now_ms) <= now_ms; tries++) {
        pace.spend(mail, now_ms);
        const hour = Math.floor(now_ms / hourMs);
        sent[hour] = (sent[hour] ?? 0) + 1;
      }
    }
    expect(sent).toEqual([49, 30, 30]);
  });

  it('the pace of mail is apart for each rule and each address, and free again after a rest', () => {
    const pace = createMailPace(paceOfRule);
    const mail = { rule_id: 'r', target: 'a@example.org' };
    for (let sent = 0; sent < burst; sent++) {
      expect(pace.isLast(mail, 0)).toBe(sent === burst - 1);
      pace.spend(mail, 0);
    }
    expect(pace.freeAt(mail, 0)).toBe(pause_ms);
    expect(pace.freeAt({ ...mail, rule_id: 's' }, 0)).toBeLessThanOrEqual(0);
    expect(pace.freeAt({ ...mail, target: 'b@example.org' }, 0)).toBeLessThanOrEqual(0);
    expect(pace.isLast(mail, burst * pause_ms)).toBe(false);
  });

  it('the pace of mail delays no mail longer than its burst when the clock is set back', () => {
    const pace = createMailPace(paceOfRule);
    const mail = { rule_id: 'r', target: 'a@example.org' };
    for (let sent = 0; sent < burst; sent++) pace.spend(mail, 10 * hourMs);
    expect(pace.freeAt(mail, 0)).toBe(pause_ms);
  });
});

async function openMails() {
  const depot = await openDepot();
  const mailServer = await openMailServer({ disabledCommands: ['STARTTLS'] });
  const vehicle = await depot.addVehicle('V 17', [groups.north]);
  const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', from: 'fleet@port.example' };
  const setSmtp = () => depot.call('dora', 'PATCH /notifications/channels', { smtp });
  const add = { kind: 'mail_domain', address: 'port.example' };
  expect((await depot.call('dora', 'POST /notifications/recipients', add)).status).toBe(201);
  let count = 0;

  async function happened(
    times: number,
    rule_id: string,
    target = 'duty@port.example',
  ): Promise<DeliveryRow[]> {
    const made = Array.from({ length: times }, () => {
      const row = notificationRow({ vehicle_id: vehicle.vehicle_id, rule_id, first_ms: start_ms });
      const delivery = deliveryRow({
        notification_id: row.notification_id,
        rule_id,
        vehicle_id: row.vehicle_id,
        channel: 'email',
        target,
        next_attempt_ms: depot.clock.now(),
        created_ms: depot.clock.now() + count++,
      });
      return { row, delivery };
    });
    const deliveries = made.map((it) => it.delivery);
    await depot.store.commit({ ...emptyBatch(), notifications: made.map((it) => it.row), deliveries });
    depot.deliveries.adopt(deliveries);
    return deliveries;
  }
  const nothingWaits = () =>
    expect.poll(async () => (await depot.store.waitingDeliveries()).length, { timeout: 60_000 }).toBe(0);
  return { depot, mailServer, setSmtp, happened, nothingWaits };
}

const rule = '6c1cbd3f-6f53-4bb0-8d8a-0a1f6b3a1b11';
const otherRule = '6c1cbd3f-6f53-4bb0-8d8a-0a1f6b3a1b12';

describe('mail of a rule that fires without end', () => {
  it('mail of a rule that fires without end ends its burst with one mail about all the rest, and delays no other rule', async () => {
    const { depot, mailServer, setSmtp, happened, nothingWaits } = await openMails();
    await setSmtp();
    await happened(200, rule);
    await happened(1, otherRule);
    await nothingWaits();
    expect(mailServer.mails).toHaveLength(burst + 1);
    const last = mailServer.mails.find((it) => it.raw.includes('more notifications:'));
    const rest = 200 - burst;
    expect(last?.raw.replaceAll(/=\r\n/g, '')).toContain(`${rest} more notifications:`);
    expect(last?.raw.replaceAll(/=\r\n/g, '')).toContain(`- ${rest - 50} more, listed in Events`);

    // Within the pause nothing goes out; after it, one mail for all.
    const waiting = await happened(10, rule);
    const other = await happened(1, otherRule);
    await expect
      .poll(async () => (await depot.store.deliveriesOf(other[0]?.notification_id ?? ''))[0]?.status)
      .toBe('sent');
    expect(mailServer.mails).toHaveLength(burst + 2);
    expect((await depot.store.waitingDeliveries()).map((it) => it.delivery_id).sort()).toEqual(
      waiting.map((it) => it.delivery_id).sort(),
    );
    depot.clock.advance(pause_ms);
    await nothingWaits();
    expect(mailServer.mails).toHaveLength(burst + 3);
    expect(mailServer.mails.at(-1)?.raw).toContain('and 9 more');
  });

  it('mail of a rule that fires without end shares one bound for each address with all other rules, and the last mail covers them all', async () => {
    const { mailServer, setSmtp, happened, nothingWaits } = await openMails();
    await setSmtp();
    const rules = Array.from({ length: 100 }, () => randomUUID());
    for (const rule_id of rules) await happened(3, rule_id, 'flooded@port.example');
    await happened(1, rule, 'other@port.example');
    await nothingWaits();
    const to = (address: string) => mailServer.mails.filter((it) => it.to.includes(address));
    const flooded = to('flooded@port.example');
    expect(flooded).toHaveLength(paceOfAddress.burst);
    expect(flooded.at(-1)?.raw).toContain(`${300 - paceOfAddress.burst} more notifications:`);
    expect(to('other@port.example')).toHaveLength(1);
  });

  it("mail of a user's rules has one bound for whatever addresses, and delays no other rule", async () => {
    const { depot, mailServer, setSmtp, happened } = await openMails();
    await setSmtp();
    const owned = await Promise.all(
      ['First', 'Second'].map(async (name) => {
        const made = { name, event_kind: 'sos', scope: { all: true } };
        const { body } = await depot.call('nora', 'POST /notifications/rules', made);
        return z.object({ rule_id: z.string(), owner_id: z.string() }).parse(body).rule_id;
      }),
    );
    const excess = 5;
    for (let at = 0; at < paceOfOwner.burst + excess; at++)
      await happened(1, owned[at % 2] ?? '', `a${at}@port.example`);
    const [ofDepot] = await happened(1, rule);
    const waiting = async () => (await depot.store.waitingDeliveries()).map((it) => it.rule_id);
    await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(excess);
    expect(mailServer.mails).toHaveLength(paceOfOwner.burst + 1);
    expect(await depot.store.deliveriesOf(ofDepot?.notification_id ?? '')).toMatchObject([
      { status: 'sent' },
    ]);
    depot.clock.advance(paceOfOwner.pause_ms);
    await expect.poll(waiting).toHaveLength(excess - 1);
    expect(mailServer.mails).toHaveLength(paceOfOwner.burst + 2);
  });

  it('mail of a rule that fires without end leaves a bounded number waiting while no mail goes out, and says what was dropped', async () => {
    const { depot, mailServer, setSmtp, happened } = await openMails();
    const made = maxWaiting.ofRule + 100;
    await happened(made, rule);
    await expect
      .poll(async () => (await depot.store.waitingDeliveries()).length, { timeout: 60_000 })
      .toBeLessThanOrEqual(maxWaiting.ofRule);
    const left = (await depot.store.waitingDeliveries()).length;
    expect(depot.logged).toContainEqual(
      expect.objectContaining({
        msg: 'delivery queue is full; oldest notifications were dropped',
        dropped: made - left,
        rules: [rule],
      }),
    );
    await setSmtp();
    await expect
      .poll(async () => (await depot.store.waitingDeliveries()).length, { timeout: 60_000 })
      .toBe(0);
    expect(mailServer.mails).toHaveLength(burst);
    const published = mailServer.mails.flatMap(({ raw }) => /and (\d+) more/.exec(raw)?.[1] ?? []);
    // What was dropped is counted in the next mail.
    expect(published.reduce((sum, it) => sum + Number(it), 0) + burst).toBe(made);
  });
});
