import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { readStateFile, writeKept } from './stateFile.ts';

/** The port that external tools know from the API's description. */
const STANDARD_PORT = 8471;
/** Near the standard one, so that they lie outside of what systems hand out to outgoing connections. */
const STAND_INS = Array.from({ length: 20 }, (_, place) => STANDARD_PORT + 1 + place);
/** The home and the last few stand-ins. */
const KEPT_PORTS = 4;

export interface PortChoice {
  port: number;
  /** The port that another program holds; null when this is the usual one. */
  insteadOf: number | null;
}

/**
 * Chooses the console's port. Browsers keep what a page stores (here: fetched videos) by its origin, which the port is
 * part of, so the port of the first start stays; while another program holds it, so does the port taken in its place.
 *
 * @param file where the ports are remembered, the home first
 * @param isFree whether a port can be listened on
 */
export async function choosePort(
  file: string,
  isFree: (port: number) => Promise<boolean>,
): Promise<PortChoice> {
  const known = readPorts(file);
  const [home, ...earlier] = known.length > 0 ? known : [STANDARD_PORT];
  const usual = home ?? STANDARD_PORT;
  const port = await firstFree([usual, ...earlier, ...STAND_INS], isFree);
  // A first start has nothing stored under the standard port yet: its stand-in becomes the home.
  const kept = known.length > 0 ? [usual, ...new Set([port, ...earlier])] : [port];
  const ports = [...new Set(kept)].slice(0, KEPT_PORTS);
  if (ports.join() !== known.join()) writeKept(file, { ports });
  return { port, insteadOf: port === usual ? null : usual };
}

/** Listens for a moment; another error than "taken" or "not allowed" is thrown. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    if (isHeld(error)) return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** As `isPortFree`, for datagrams: who listens by TCP does not hold their port. */
export async function isDatagramPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    socket.bind({ address: host, port, exclusive: true });
    await once(socket, 'listening');
    return true;
  } catch (error) {
    if (isHeld(error)) return false;
    throw error;
  } finally {
    socket.close();
  }
}

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EADDRINUSE', 'EACCES'].includes(String(error.code));
}

async function firstFree(
  ports: readonly number[],
  isFree: (port: number) => Promise<boolean>,
): Promise<number> {
  for (const port of ports) if (await isFree(port)) return port;
  throw new Error(`No port from ${STANDARD_PORT} to ${STANDARD_PORT + STAND_INS.length} is free.`);
}

function readPorts(file: string): number[] {
  const kept = readStateFile(file);
  if (typeof kept !== 'object' || kept === null || !('ports' in kept) || !Array.isArray(kept.ports))
    return [];
  return kept.ports.filter(isPort);
}

function isPort(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536;
}
