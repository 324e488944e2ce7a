import type { BulkResult } from '../contract/bulk.ts';
import { ApiError } from './apiError.ts';

/**
 * Does one thing to each vehicle, once. What `act` throws as an ApiError is what this vehicle is refused for, and the
 * rest goes on; 404 is one that is not there or not visible.
 */
export function bulkOf(vehicleIds: readonly string[], act: (vehicleId: string) => void): BulkResult {
  const result: BulkResult = { done: [], refused: [], not_found: [] };
  const reasons = new Map<string, BulkResult['refused'][number]>();
  for (const id of new Set(vehicleIds)) {
    try {
      act(id);
      result.done.push(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message: detail, causes } = error;
      const key = `${code} ${detail}`;
      const known = reasons.get(key);
      if (code === 'not_found') result.not_found.push(id);
      else if (known !== undefined) known.vehicle_ids.push(id);
      else {
        const reason = { code, detail, ...(causes === undefined ? {} : { causes }), vehicle_ids: [id] };
        reasons.set(key, reason);
        result.refused.push(reason);
      }
    }
  }
  return result;
}
