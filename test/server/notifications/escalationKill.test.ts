import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import { ruleRoutes } from '../../../server/contract/rules.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { logIn, type ApiClient } from '../../support/caller.ts';
import { dealerLogin, dealerPassword } from '../../support/testHost.ts';
import { openMailServer } from './channels/mailServer.ts';
import { answer, openReceiver, type Received } from './channels/receiver.ts';

const minute = 60_000;
const program = fileURLToPath(new URL('./handDrivenHost.ts', import.meta.url));
const running = z.object({ data: z.string(), url: z.string(), intakeUrl: z.string() });

/** A host in a process of its own, whose clock is driven from here and goes on while the process does not run. */
function createKilledHost() {
  let now_ms = Date.UTC(2026, 10, 21, 12);
  let child: ChildProcess | null = null;
  let host: z.infer<typeof running> | null = null;
  let dealer: ApiClient | null = null;
  const started = () => ({ ...(host ?? expect.fail()), dealer: dealer ?? expect.fail() });

  async function kill(): Promise<void> {
    const ended = child === null || once(child, 'exit');
    child?.kill('SIGKILL');
    child = null;
    await ended;
  }
  onTestFinished(async () => {
    await kill();
    if (host !== null) await rm(host.data, { recursive: true, force: true });
  });

  return {
    get dealer() {
      return started().dealer;
    },
    kill,
    async start(): Promise<void> {
      child = fork(program, [String(now_ms), ...(host === null ? [] : [host.data])]);
      const [message] = await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => expect.fail('the host ended')),
      ]);
      host = running.parse(message);
      dealer = await logIn(host.url, dealerLogin, dealerPassword);
    },
    /** Also while it does not run. */
    advance(ms: number): void {
      now_ms += ms;
      child?.send(ms);
    },
    async press(terminal_id: string): Promise<void> {
      const fix = `id=${terminal_id}&lat=52.5&lon=13.4&timestamp=${now_ms / 1_000}&alarm=sos`;
      expect((await fetch(`${started().intakeUrl}/?${fix}`)).status).toBe(200);
    },
  };
}

async function openDepot() {
  const [receiver, mail, host] = [await openReceiver(), await openMailServer(), createKilledHost()];
  await host.start();
  const { dealer } = host;
  await dealer.ask(notificationRoutes.patchChannels, {
    body: { smtp: { host: '127.0.0.1', port: mail.port, security: 'none', from: 'fleet@port.example' } },
  });
  // Those of a new depot.
  for (const { rule_id } of (await dealer.ask(ruleRoutes.list)).items)
    await dealer.ask(ruleRoutes.remove, { params: { rule_id } });
  const byWebhook = (after_min: number) => ({
    ...{ after_min, channels: ['webhook' as const], webhook_url: receiver.url },
  });
  const byMail = { after_min: 3, channels: ['email' as const], email_to: ['boss@port.example'] };
  await dealer.ask(ruleRoutes.create, {
    body: {
      ...{ name: 'Button', event_kind: 'sos', scope: { all: true }, severity: 'alarm', cooldown_s: 0 },
      escalation: { steps: [byWebhook(1), byMail, byWebhook(5)] },
    },
  });
  for (const terminal_id of ['A', 'B', 'C'])
    await dealer.ask(vehicleRoutes.create, { body: { name: terminal_id, terminal_id } });

  const alarmOf = async (name: string) => {
    const { items } = await host.dealer.ask(notificationRoutes.list, { query: { vehicle: name } });
    return items[0]?.notification_id ?? expect.fail(`no alarm of ${name}`);
  };
  return {
    ...{ receiver, mail, host, alarmOf },
    /** The steps that were carried out, and what became of what they sent. */
    stepsOf: async (name: string) => {
      const params = { notification_id: await alarmOf(name) };
      const { escalation, deliveries } = await host.dealer.ask(notificationRoutes.why, { params });
      return {
        done: escalation?.done.map((it) => it.step),
        sent: deliveries.map((it) => `${it.step} ${it.status}`).toSorted(),
      };
    },
  };
}

/** `A 1`: of the alarm of this vehicle the first step. */
function stepIn({ body }: Received): string {
  const { vehicle, escalation } = z
    .object({ vehicle: z.object({ name: z.string() }), escalation: z.object({ step: z.int() }) })
    .parse(JSON.parse(body));
  return `${vehicle.name} ${escalation.step}`;
}

it('a host that is killed between the steps of an escalation sends each step once, and none of an acknowledged alarm', async () => {
  const { receiver, mail, host, alarmOf, stepsOf } = await openDepot();
  const heard = () => receiver.received.map(stepIn);
  await host.press('A');
  await host.press('B');
  host.advance(minute);
  for (const name of ['A', 'B'])
    await expect.poll(() => stepsOf(name)).toEqual({ done: [1], sent: ['1 sent'] });
  const params = { notification_id: await alarmOf('B') };
  await host.dealer.ask(notificationRoutes.ack, { params, body: {} });

  await host.kill();
  await host.start();
  host.advance(2 * minute);
  await expect.poll(() => stepsOf('A')).toEqual({ done: [1, 2], sent: ['1 sent', '2 sent'] });
  expect(heard().toSorted()).toEqual(['A 1', 'B 1']);

  // The third step is due while nothing runs.
  await host.kill();
  host.advance(10 * minute);
  await host.start();
  host.advance(0);
  await expect.poll(() => stepsOf('A')).toEqual({ done: [1, 2, 3], sent: ['1 sent', '2 sent', '3 sent'] });

  // What else was due would have been sent before this.
  await host.press('C');
  host.advance(minute);
  await expect.poll(() => stepsOf('C')).toEqual({ done: [1], sent: ['1 sent'] });
  expect(heard().toSorted()).toEqual(['A 1', 'A 3', 'B 1', 'C 1']);
  expect(mail.mails.map((it) => it.to)).toEqual([['boss@port.example']]);
  expect(await stepsOf('B')).toEqual({ done: [1], sent: ['1 sent'] });
});

it('a host that is killed before it has noted a step as sent sends it again under the same id', async () => {
  const { receiver, host, stepsOf } = await openDepot();
  // The first call is taken and not answered.
  receiver.react(() => undefined, answer(204));
  await host.press('A');
  host.advance(minute);
  await receiver.calls(1);
  await host.kill();
  await host.start();
  await expect.poll(() => stepsOf('A')).toEqual({ done: [1], sent: ['1 sent'] });
  const ids = receiver.received.map((it) => it.headers['fleetdeck-delivery']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});
