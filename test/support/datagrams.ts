import { createSocket } from 'node:dgram';

/** So long a terminal waits for the answer to a datagram. */
const patienceMs = 400;

/**
 * Sends a datagram again and again until it is answered; gives the answer.
 *
 * Each time from a port of its own: answers over UDP need not say what they answer, and a late one to a repeat would pass
 * for that to the next datagram.
 *
 * @param port where the host listens at this moment; it may be gone, and come back elsewhere
 */
export async function askByDatagram(port: () => number, bytes: Uint8Array | string): Promise<Buffer> {
  for (;;) {
    const answer = await askOnce(port(), bytes, patienceMs);
    if (answer !== null) return answer;
  }
}

/** Sends a datagram; null when no answer to it came in this time. */
export function askOnce(port: number, bytes: Uint8Array | string, waitMs: number): Promise<Buffer | null> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    const settle = (answer: Buffer | null) => {
      clearTimeout(timer);
      socket.removeAllListeners();
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => settle(null), waitMs);
    socket.on('message', settle);
    // A host that is gone is no fault of the terminal's: it waits as for any other.
    socket.on('error', () => undefined);
    socket.send(bytes, port, '127.0.0.1');
  });
}
