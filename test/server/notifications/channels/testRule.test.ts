import { describe, expect, it } from 'vitest';
import { causeOf, said } from '../../../../server/contract/causeTexts.ts';
import { openDepot, type Depot, type Login } from '../depot.ts';
import { openMailServer } from './mailServer.ts';
import { answer, openReceiver } from './receiver.ts';

async function openRule(more: object, as: Login = 'dora') {
  const depot = await openDepot();
  const wanted = { name: 'Button', event_kind: 'sos', scope: { all: true }, enabled: false, ...more };
  const { status, body } = await depot.call(as, 'POST /notifications/rules', wanted);
  expect(status).toBe(201);
  const tested = async (who: Login = as) => {
    const reply = await depot.call(who, `POST /notifications/rules/${String(body.rule_id)}/test`);
    return { status: reply.status, results: reply.body.results };
  };
  return { depot, rule_id: String(body.rule_id), tested };
}

async function setMailServer(depot: Depot, port: number): Promise<void> {
  const smtp = { host: '127.0.0.1', port, security: 'none', from: 'fleetdeck@port.example' };
  expect((await depot.call('dora', 'PATCH /notifications/channels', { smtp })).status).toBe(200);
}

describe('the test of a rule', () => {
  it('the test of a rule sends a marked test to each place and reports each result', async () => {
    const receiver = await openReceiver(answer(204));
    const mailServer = await openMailServer({ disabledCommands: ['STARTTLS'] });
    const { depot, rule_id, tested } = await openRule({
      channels: ['desktop', 'webhook', 'email'],
      webhook_url: receiver.url,
      email_to: ['a@example.org', 'b@example.org'],
    });
    await setMailServer(depot, mailServer.port);
    expect(await tested()).toEqual({
      status: 200,
      results: [
        {
          channel: 'desktop',
          target: null,
          ok: true,
          detail: 'The desktop channel is shown by each console itself.',
          causes: [{ code: 'test.desktop', values: {} }],
        },
        {
          channel: 'webhook',
          target: receiver.url,
          ok: true,
          ...said(causeOf('webhook.answered', { status: 204 })),
        },
        { channel: 'email', target: 'a@example.org', ok: true, ...said(causeOf('mail.taken')) },
        { channel: 'email', target: 'b@example.org', ok: true, ...said(causeOf('mail.taken')) },
      ],
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'test',
      text: 'Test of the rule Button',
      notification: null,
      vehicle: null,
      rule: { rule_id, name: 'Button', version: 1 },
    });
    for (const { raw } of mailServer.mails) {
      expect(raw).toContain('Subject: [test] Test of the rule Button');
      expect(raw).toContain('No alarm was raised.');
    }
    expect(await depot.store.waitingDeliveries()).toEqual([]);
  });

  it("the test of a step of a rule's escalation goes to its addresses and to users it names, as far as the tester knows them", async () => {
    const receiver = await openReceiver(answer(204));
    const mailServer = await openMailServer({ disabledCommands: ['STARTTLS'] });
    const depot = await openDepot();
    const { nora, saul } = depot.users;
    const { body } = await depot.call('dora', 'POST /notifications/rules', {
      ...{ name: 'Button', event_kind: 'sos', scope: { all: true } },
      escalation: {
        steps: [
          { after_min: 1, channels: ['desktop'], on_duty: true },
          {
            ...{ after_min: 5, channels: ['webhook', 'email'], webhook_url: receiver.url },
            ...{ email_to: ['a@example.org'], user_ids: [nora.user_id, saul.user_id] },
          },
        ],
      },
    });
    await setMailServer(depot, mailServer.port);
    const tested = (step: number) =>
      depot.call('dora', `POST /notifications/rules/${String(body.rule_id)}/test?step=${step}`);
    expect((await tested(2)).body.results).toMatchObject([
      { channel: 'webhook', target: receiver.url, ok: true },
      { channel: 'email', target: 'a@example.org', ok: true },
      // Saul has no address.
      { channel: 'email', target: nora.email, ok: true },
    ]);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'test',
      escalation: { step: 2, steps: 2, missed: [] },
    });
    expect(mailServer.mails[0]?.raw).toContain('step 2 of 2');
    expect((await tested(1)).body.results).toMatchObject([{ channel: 'desktop', ok: true }]);
    expect((await tested(3)).body.errors).toMatchObject([{ path: 'step' }]);
    // Each counts as any other test of that user.
    const more = await Promise.all([1, 1, 1, 1].map(tested));
    expect(more.map((it) => it.status)).toContain(429);
  });

  it("the test of a step of the depot's escalation goes to its addresses for a dealer, and to themselves for others", async () => {
    const receiver = await openReceiver(answer(204));
    const mailServer = await openMailServer({ disabledCommands: ['STARTTLS'] });
    const { depot, rule_id } = await openRule({ escalation: { depot: true } }, 'nora');
    const { nora, saul } = depot.users;
    const tested = async (as: Login, step: number) =>
      (await depot.call(as, `POST /notifications/rules/${rule_id}/test?step=${step}`)).body;
    expect((await tested('dora', 1)).errors).toMatchObject([{ path: 'step' }]);
    await setMailServer(depot, mailServer.port);
    for (const approved of [
      { kind: 'email', address: 'a@example.org' },
      { kind: 'webhook_host', address: receiver.url },
    ])
      expect((await depot.call('dora', 'POST /notifications/recipients', approved)).status).toBe(201);
    const step = {
      ...{ after_min: 5, channels: ['webhook', 'email'], webhook_url: receiver.url },
      ...{ email_to: ['a@example.org'], user_ids: [nora.user_id, saul.user_id] },
    };
    const alarm_escalation = { steps: [{ after_min: 1, channels: ['desktop'], on_duty: true }, step] };
    expect((await depot.call('dora', 'PATCH /notifications/channels', { alarm_escalation })).status).toBe(
      200,
    );
    expect((await tested('nora', 2)).results).toMatchObject([
      { channel: 'email', target: nora.email, ok: true },
    ]);
    expect(receiver.received).toEqual([]);
    expect((await tested('dora', 2)).results).toMatchObject([
      { channel: 'webhook', target: receiver.url, ok: true },
      { channel: 'email', target: 'a@example.org', ok: true },
      { channel: 'email', target: nora.email, ok: true },
    ]);
    expect((await tested('dora', 1)).results).toMatchObject([{ channel: 'desktop', ok: true }]);
    expect((await tested('dora', 3)).errors).toMatchObject([{ path: 'step' }]);
  });

  it('the test of a rule reports what is wrong with each channel', async () => {
    const receiver = await openReceiver(answer(404, {}, 'no such hook'));
    const { tested } = await openRule({
      channels: ['webhook', 'email'],
      webhook_url: receiver.url,
      email_to: ['a@example.org'],
    });
    expect((await tested()).results).toMatchObject([
      { channel: 'webhook', ok: false, detail: 'It answered 404.' },
      { channel: 'email', ok: false, detail: 'No mail server is set up.' },
    ]);
  });

  it('the test of a rule does not wait for a server that does not answer', async () => {
    const receiver = await openReceiver(() => undefined);
    const silent = { greeted: 0 };
    const mailServer = await openMailServer({ onConnect: () => (silent.greeted += 1) });
    const { depot, tested } = await openRule({
      channels: ['webhook', 'email'],
      webhook_url: receiver.url,
      email_to: ['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org'],
    });
    await setMailServer(depot, mailServer.port);
    const waiting = tested();
    await receiver.calls(1);
    await expect.poll(() => silent.greeted).toBe(3);
    depot.clock.advance(10_000);
    await expect.poll(() => silent.greeted).toBe(4);
    depot.clock.advance(5_000);
    const { results } = await waiting;
    expect(results).toMatchObject([
      { detail: 'No connection.' },
      ...['a', 'b', 'c', 'd'].map((name) => ({
        target: `${name}@example.org`,
        ok: false,
        detail: 'There was no answer within 15 s.',
      })),
    ]);
  });

  it('the test of a rule is for users who may change the rule', async () => {
    const { depot, tested } = await openRule({});
    await depot.addVehicle('North 1', depot.users.nora.group_ids);
    expect((await tested('nora')).status).toBe(403);
    expect((await tested('rita')).status).toBe(403);
    expect((await tested('saul')).status).toBe(404);
    const own = await openRule({}, 'nora');
    expect((await own.tested()).status).toBe(200);
  });
});
