import { serveOrders } from '../workerChannel.ts';
import { incidentPdf, type IncidentPdfOrder } from './incidentPdf.ts';

serveOrders<IncidentPdfOrder, Uint8Array[]>((order) => incidentPdf(order));
