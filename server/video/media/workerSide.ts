import { serveOrders } from '../../workerChannel.ts';
import { asMediaError } from './mediaError.ts';

/** As `serveOrders`; failures are reported by the codes of `MediaError`. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as there
export function serveMediaOrders<Order, Result>(
  work: (order: Order, onProgress: (fraction: number) => void) => Promise<Result>,
): void {
  serveOrders(work, (error) => {
    const { code, message } = asMediaError(error);
    return { code, detail: message };
  });
}
