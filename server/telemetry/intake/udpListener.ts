import { createSocket, type RemoteInfo } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { ListenerContext } from './listenerContext.ts';
import { createIntakeMessage, noteUnreadable } from './intakeMessage.ts';
import { withReason } from './wrongPort.ts';
import { ProtocolMismatch, type Answer, type UdpProtocol } from './protocolHandler.ts';
import type { Listener } from './listener.ts';

/**
 * Listens for datagrams of one protocol. What comes while too much waits for the store is left alone: it was not
 * acknowledged, and comes again. Rejects when the port cannot be had.
 */
export async function listenUdp(
  port: number,
  host: string,
  protocol: UdpProtocol,
  listener: ListenerContext,
): Promise<Listener> {
  const { errorLogLimit, log, rejections, work } = listener;
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const underWay = new Set<Promise<void>>();
  let isClosing = false;

  async function serve(bytes: Buffer, from: RemoteInfo): Promise<void> {
    const entry = listener.record.open('udp', from.address, null, bytes);
    const { message, answered } = createIntakeMessage({
      ...listener,
      bytes,
      origin: { protocol: protocol.name, address: from.address },
      entry,
      onSender: (terminalId) => listener.record.belongs(entry, terminalId),
    });
    try {
      const answer = await protocol.take({ ...message, remoteAddress: from.address });
      answered(answer);
      await send(answer, from);
    } catch (error) {
      if (!(error instanceof ProtocolMismatch)) throw error;
      const about = { address: from.address, first: bytes, detail: error.message };
      noteUnreadable(entry, withReason(rejections.add('protocol_mismatch', about), error.message));
    }
  }

  function send(answer: Answer, { port: to, address }: RemoteInfo): Promise<void> {
    if (answer === null) return Promise.resolve();
    return new Promise((resolve) => {
      socket.send(answer, to, address, (error) => {
        if (error !== null) log.debug({ err: error, listener: protocol.name }, 'datagram was not sent');
        resolve();
      });
    });
  }

  socket.on('message', (bytes, from) => {
    // Port 0 cannot be answered; it is written by those who pretend to be somebody else.
    if (isClosing || bytes.length === 0 || from.port === 0) return;
    if (work.isFull()) {
      rejections.add('limit');
      return;
    }
    const one = serve(bytes, from)
      .catch((error: unknown) => {
        const left = errorLogLimit();
        if (left !== null)
          log.error({ err: error, listener: protocol.name, ...left }, 'datagram was not processed');
      })
      .finally(() => underWay.delete(one));
    underWay.add(one);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ port, address: host, exclusive: true }, () => {
      socket.off('error', reject);
      resolve();
    });
  });
  socket.on('error', (error) => log.warn({ err: error, listener: protocol.name }, 'UDP socket failed'));
  const bound = socket.address();
  return {
    port: bound.port,
    host: bound.address,
    connections: () => 0,
    async close() {
      isClosing = true;
      await Promise.all(underWay);
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}
