import { serveOrders } from '../workerChannel.ts';
import { shiftPdf, type ShiftPdfOrder } from './shiftPdf.ts';

serveOrders<ShiftPdfOrder, Uint8Array[]>((order) => shiftPdf(order));
