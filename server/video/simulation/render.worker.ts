import { serveMediaOrders } from '../media/mediaError.ts';
import { renderClip } from './renderClip.ts';

serveMediaOrders(renderClip);
