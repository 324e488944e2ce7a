import { serveMediaOrders } from '../media/workerSide.ts';
import { writeFilm } from './writeFilm.ts';

serveMediaOrders(writeFilm);
