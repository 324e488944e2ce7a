import { shiftRoutes } from '../../../server/contract/shifts.ts';
import { always, type Field, type OperationAttack } from '../attack.ts';
import { unknownId } from '../depot.ts';

/** The attacker goes on duty. */
async function onDuty({ attacker }: Field): Promise<{ shift_id: string }> {
  const { body } = await attacker.post('/api/v1/shifts');
  return { shift_id: (body as { shift_id?: string } | undefined)?.shift_id ?? unknownId };
}

/** The keeper goes on duty, and stays so. */
async function ofKeeper({ keeper }: Field): Promise<{ shift_id: string }> {
  await keeper.post('/api/v1/shifts');
  const { items } = await keeper.ask(shiftRoutes.list, { query: { active: 'true' } });
  return { shift_id: items[0]?.shift_id ?? unknownId };
}

const notThere = (operation: string): OperationAttack => ({
  operation,
  does: 'one that is not there',
  calls: always({ params: { shift_id: unknownId } }),
});

/** Shifts, and reports of what happened in them. */
export const shiftAttacks: readonly OperationAttack[] = [
  { operation: 'listShifts', does: 'all of them', calls: always({ query: { limit: 1_000 } }) },
  { operation: 'startShift', does: 'again and again, on duty already', calls: always({}) },
  { operation: 'listDispatchers', does: 'all of them', calls: always({ query: { limit: 1_000 } }) },
  { operation: 'reportSinceLogin', does: 'of all that may be asked for', calls: always({}) },
  notThere('getShift'),
  {
    operation: 'getShiftReport',
    does: 'of a shift that goes on',
    calls: async (field) => {
      const params = await ofKeeper(field);
      return () => ({ params });
    },
  },
  {
    operation: 'getShiftReportPdf',
    does: 'of a shift that goes on',
    calls: async (field) => {
      const params = await ofKeeper(field);
      return () => ({ params });
    },
  },
  {
    operation: 'mailShiftReport',
    does: 'to ten addresses that nobody approved',
    calls: async (field) => {
      const params = await onDuty(field);
      const email_to = Array.from({ length: 10 }, (_, at) => `${at}@port.example`);
      return () => ({ params, body: { email_to } });
    },
  },
  {
    operation: 'addShiftNote',
    does: 'the longest notes, more than a shift takes',
    calls: async (field) => {
      const params = await onDuty(field);
      return () => ({ params, body: { text: 'x'.repeat(2_000) } });
    },
  },
  {
    operation: 'handOverShift',
    does: 'its own to whoever comes, again and again',
    calls: async (field) => {
      const params = await onDuty(field);
      return () => ({ params, body: {} });
    },
  },
  notThere('withdrawHandover'),
  notThere('acceptShift'),
  notThere('endShift'),
];
