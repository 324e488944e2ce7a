import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { terminalCommandRoutes } from '../../../server/contract/terminalCommands.ts';
import { userRoutes } from '../../../server/contract/users.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

let host: TestHost;
let dealer: Caller;
let other: Caller;
beforeAll(async () => {
  host = await startTestHost({ users: [{ login: 'second', role: 'dealer' }] });
  [dealer, other] = [await host.login(), await host.login('second')];
});
afterAll(() => host.close());

const create = (caller: Caller, key: string, body: object) =>
  caller.post(vehicleRoutes.create.path, body, { 'Idempotency-Key': key });
const count = async (q: string) => (await dealer.ask(vehicleRoutes.list, { query: { q } })).items.length;

describe('the same Idempotency-Key', () => {
  it('the same Idempotency-Key gives the first answer again, to the letter, and acts once', async () => {
    const body = { terminal_id: 'I1', name: 'once' };
    const first = await create(dealer, 'key 1', body);
    expect(first.status).toBe(201);
    await dealer.ask(vehicleRoutes.patch, { params: { vehicle: 'I1' }, body: { name: 'renamed' } });
    const again = await create(dealer, 'key 1', body);
    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await count('I1')).toBe(1);
  });

  it('the same Idempotency-Key with another body is answered 400', async () => {
    await create(dealer, 'key 2', { terminal_id: 'I2', name: 'x' });
    const answer = await create(dealer, 'key 2', { terminal_id: 'I3', name: 'x' });
    expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await count('I3')).toBe(0);
  });

  it('the same Idempotency-Key of another user is another key', async () => {
    await create(dealer, 'key 4', { terminal_id: 'I4', name: 'x' });
    expect((await create(other, 'key 4', { terminal_id: 'I5', name: 'x' })).status).toBe(201);
  });

  it('the same Idempotency-Key for another operation is another key', async () => {
    await create(dealer, 'key 6', { terminal_id: 'I6', name: 'x' });
    const body = { login: 'by-key', password: '0123456789' };
    const made = await dealer.ask(userRoutes.create, { body, headers: { 'Idempotency-Key': 'key 6' } });
    expect(await dealer.ask(userRoutes.create, { body, headers: { 'Idempotency-Key': 'key 6' } })).toEqual(
      made,
    );
    expect(made.login).toBe('by-key');
  });

  it('the same Idempotency-Key for another vehicle is another key', async () => {
    const body = { kind: 'text', text: 'getinfo' };
    const give = async (vehicle: string, given: object = body) =>
      dealer.post(`/api/v1/vehicles/${vehicle}/commands`, given, { 'Idempotency-Key': 'key 10' });
    const ids: string[] = [];
    for (const terminal_id of ['C1', 'C2']) {
      const made = await dealer.ask(vehicleRoutes.create, { body: { terminal_id, name: terminal_id } });
      const answer = await give(terminal_id);
      expect(answer).toMatchObject({ status: 201, body: { vehicle_id: made.vehicle_id, terminal_id } });
      expect(await give(terminal_id)).toMatchObject({ status: 201, text: answer.text });
      // By its other name it is the same vehicle.
      expect(await give(made.vehicle_id)).toMatchObject({ status: 201, text: answer.text });
      expect(await give(terminal_id, { kind: 'text', text: 'getver' })).toMatchObject({ status: 400 });
      const { items } = await dealer.ask(terminalCommandRoutes.list, { params: { vehicle: terminal_id } });
      expect(items).toHaveLength(1);
      ids.push(items[0]?.command_id ?? '');
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('sent twice at once acts once', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => create(dealer, 'key 7', { terminal_id: 'I7', name: 'x' })),
    );
    for (const { status, code } of answers) expect([201, 'in_use']).toContain(code ?? status);
    expect(answers.some((it) => it.status === 201)).toBe(true);
    expect(await count('I7')).toBe(1);
  });

  it('the same Idempotency-Key after a refusal is free to try again', async () => {
    expect((await create(dealer, 'key 8', { terminal_id: 'I1', name: 'taken' })).status).toBe(409);
    await dealer.ask(vehicleRoutes.remove, { params: { vehicle: 'I1' } });
    expect((await create(dealer, 'key 8', { terminal_id: 'I1', name: 'taken' })).status).toBe(201);
  });

  it('the same Idempotency-Key is remembered over a restart', async () => {
    const body = { terminal_id: 'I9', name: 'x' };
    const first = await create(dealer, 'key 9', body);
    await host.stop();
    host = await startTestHost({ data: host.data });
    dealer = await host.login();
    expect(await create(dealer, 'key 9', body)).toMatchObject({ status: 201, text: first.text });
  });

  it.each(['', 'x'.repeat(201)])(
    'the same Idempotency-Key of 0 or over 200 characters is refused (%#)',
    async (key) => {
      const answer = await create(dealer, key, { terminal_id: 'I10', name: 'x' });
      expect(answer).toMatchObject({ status: 400, code: 'validation_failed' });
    },
  );
});
