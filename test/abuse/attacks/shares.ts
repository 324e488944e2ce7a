import { shareRoutes, shareTokenHeader } from '../../../server/contract/shares.ts';
import type { Field, OperationAttack } from '../attack.ts';
import { aMap } from './maps.ts';

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const vehicleAt = ({ depot }: Field, at: number) =>
  depot.vehicles[at % depot.vehicles.length]?.vehicle_id ?? '';

/** A link to a vehicle, which shows all that a link can show. */
async function aShare(field: Field, at = 0) {
  return field.keeper.ask(shareRoutes.create, {
    params: { vehicle: vehicleAt(field, at) },
    body: { name: 'A customer', expires_at: inAnHour(), shows: ['plate', 'driver', 'speed', 'address'] },
  });
}

/** As many as the limits of an address allow, from four of them. */
const fromStrangers = { addresses: 4, perAddress: 60 };

export const shareAttacks: readonly OperationAttack[] = [
  {
    operation: 'createShare',
    does: 'of one vehicle after the other, until there may be no more',
    calls: (field) => (at) => ({
      params: { vehicle: vehicleAt(field, at) },
      body: { name: 'x'.repeat(120), expires_at: inAnHour() },
    }),
  },
  {
    operation: 'listShares',
    does: 'of a vehicle that has as many as it may have',
    async calls(field) {
      for (let at = 0; at < 10; at += 1) await aShare(field);
      return () => ({ params: { vehicle: vehicleAt(field, 0) } });
    },
  },
  {
    operation: 'listGivenShares',
    does: 'of one who created none, out of all there are',
    async calls(field) {
      for (let at = 0; at < 10; at += 1) await aShare(field, 1);
      return () => ({});
    },
  },
  {
    operation: 'endShare',
    does: 'one, and then the same again',
    async calls(field) {
      const { share } = await aShare(field);
      return () => ({ params: { share_id: share.share_id } });
    },
  },
  {
    operation: 'openShare',
    does: 'with its address, which is found in the map',
    ...fromStrangers,
    async calls(field) {
      await aMap(field);
      const { token } = await aShare(field);
      return () => ({ headers: { [shareTokenHeader]: token } });
    },
  },
  {
    operation: 'listSharedMaps',
    does: 'as often as may be',
    ...fromStrangers,
    async calls(field) {
      const { token } = await aShare(field);
      return () => ({ headers: { [shareTokenHeader]: token } });
    },
  },
  {
    operation: 'getSharedTile',
    does: 'the densest tile, composed anew for each of those below it',
    ...fromStrangers,
    async calls(field) {
      await aMap(field);
      const { token } = await aShare(field);
      return (at) => ({
        headers: { [shareTokenHeader]: token },
        params: {
          ...{ z: '14', x: String(145 * 64 + (at % 64)) },
          y: String(78 * 64 + (Math.floor(at / 64) % 64)),
        },
      });
    },
  },
];
