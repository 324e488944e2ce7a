import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { normalizeAddress } from './rateLimit.ts';
import { createRefreshHeaderRewriter } from './refreshHeader.ts';

export interface Front {
  /** Port 0 takes any free one. Rejects with the system's error (`EADDRINUSE`, `EACCES`, ...). */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Stops listening, cuts idle connections, waits for the answers under way, for at most `graceMs`, and then cuts
   * the rest. A request whose header is not complete yet counts as idle. Resolves when every connection is closed;
   * a second call gets the first one's promise.
   */
  close(graceMs?: number): Promise<void>;
}

export interface FrontOptions {
  /** PEM, as `node:tls` takes it. Without it the front speaks plain HTTP. */
  tls?: { cert: string | Buffer; key: string | Buffer };
  connections?: ConnectionLimits;
}

/** How many connections are kept open at a time. */
export interface ConnectionLimits {
  perAddress: number;
  inAll: number;
}

/**
 * A browser opens six and a stream; an office behind one address has a hundred of them. An idle one takes some 20 KB, so
 * that all take 100 MB, and file descriptors are left for the files.
 */
const standardConnections: ConnectionLimits = { perAddress: 1_500, inAll: 5_000 };

/** Below the 5 s in which a signal ends the host, so that the stores still have their time. */
const DEFAULT_GRACE_MS = 2_000;

/**
 * Listens in the place of `httpServer`, which must not listen itself: every connection reaches it by its
 * 'connection' event, with the header name that no parser takes repaired on the way (see refreshHeader.ts).
 */
export function createFront(httpServer: HttpServer, options: FrontOptions = {}): Front {
  const connections = new Map<Duplex, { connection: FrontConnection; answering: Set<ServerResponse> }>();
  const handshakes = new Map<string, Socket>();
  let closing: Promise<void> | undefined;

  // Half-open as in the HTTP server's own listener, which decides itself (`httpAllowHalfOpen`) when to end its side.
  const socketOptions = { allowHalfOpen: true, noDelay: true };
  const server =
    options.tls === undefined
      ? createNetServer(socketOptions, serve)
      : createTlsServer({ ...socketOptions, ...options.tls, ALPNProtocols: ['http/1.1'] }, (socket) => {
          handshakes.delete(peerOf(socket));
          serve(socket);
        }).on('connection', (socket: Socket) => {
          const peer = peerOf(socket);
          handshakes.set(peer, socket);
          socket.once('close', () => handshakes.delete(peer));
        });

  server.on('connection', limitConnections(options.connections ?? standardConnections));

  function serve(socket: Socket): void {
    if (closing !== undefined) {
      socket.destroy();
      return;
    }
    const connection = new FrontConnection(socket);
    connections.set(connection, { connection, answering: new Set() });
    connection.once('close', () => connections.delete(connection));
    httpServer.emit('connection', connection);
  }

  function watchAnswer(request: IncomingMessage, response: ServerResponse): void {
    const entry = connections.get(request.socket);
    if (entry === undefined) return;
    const { connection, answering } = entry;
    answering.add(response);
    response.once('close', () => {
      answering.delete(response);
      if (closing !== undefined && answering.size === 0) connection.destroySoon();
    });
  }

  function cutEverything(): void {
    for (const socket of handshakes.values()) socket.destroy();
    for (const connection of connections.keys()) connection.destroy();
  }

  function cutIdle(): void {
    for (const socket of handshakes.values()) socket.destroy();
    for (const { connection, answering } of connections.values()) {
      const last = [...answering].at(-1);
      if (last === undefined) connection.destroy();
      // Says `Connection: close`, if its header is still to be sent.
      else last.shouldKeepAlive = false;
    }
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          if (address === null || typeof address === 'string') {
            reject(new Error('the front listens on TCP only'));
            return;
          }
          httpServer.prependListener('request', watchAnswer);
          // Starts the HTTP server's watch over `headersTimeout` and `requestTimeout`, which it begins on this event.
          httpServer.emit('listening');
          resolve(address);
        });
      }),

    close: (graceMs = DEFAULT_GRACE_MS) => {
      closing ??= new Promise((resolve) => {
        const deadline = setTimeout(cutEverything, graceMs);
        server.close(() => {
          clearTimeout(deadline);
          httpServer.off('request', watchAnswer);
          // Only now: it would cut a connection whose answer is complete but not yet sent.
          httpServer.close();
          resolve();
        });
        cutIdle();
      });
      return closing;
    },
  };
}

/**
 * Closes the newest connection of an address that has too many; when there are too many in all, the newest one of the
 * address that has most, so that no stranger can keep others out.
 */
function limitConnections({ perAddress, inAll }: ConnectionLimits): (socket: Socket) => void {
  const byAddress = new Map<string, Set<Socket>>();
  let open = 0;

  function closeNewestOf(sockets: ReadonlySet<Socket>): void {
    [...sockets]
      .filter((it) => !it.destroyed)
      .at(-1)
      ?.destroy();
  }

  return (socket) => {
    const address = normalizeAddress(socket.remoteAddress);
    const mine = byAddress.get(address) ?? new Set();
    byAddress.set(address, mine.add(socket));
    open += 1;
    socket.once('close', () => {
      open -= 1;
      mine.delete(socket);
      if (mine.size === 0) byAddress.delete(address);
    });
    if (mine.size > perAddress) socket.destroy();
    else if (open > inAll) {
      closeNewestOf([...byAddress.values()].reduce((most, it) => (it.size > most.size ? it : most)));
    }
  };
}

/** A TLS socket does not tell which socket it was made of; the two have the same ends. */
function peerOf(socket: Socket): string {
  return `${socket.remoteAddress ?? ''} ${socket.remotePort ?? 0} ${socket.localAddress ?? ''}`;
}

/**
 * A socket as the HTTP server sees it: all of it is the socket's own but for the bytes read, which pass the rewriter.
 * It has what Node's HTTP server, Express and our handlers use of a `net.Socket`.
 */
class FrontConnection extends Duplex {
  readonly encrypted: boolean;
  readonly #socket: Socket;
  readonly #rewriter = createRefreshHeaderRewriter();

  constructor(socket: Socket) {
    super({
      allowHalfOpen: true,
      // Header blocks come as latin1 strings; the socket encodes them without a copy in between.
      decodeStrings: false,
      readableHighWaterMark: socket.readableHighWaterMark,
      writableHighWaterMark: socket.writableHighWaterMark,
    });
    this.#socket = socket;
    this.encrypted = socket instanceof TLSSocket;
    socket.on('data', (chunk: Buffer) => this.#receive(this.#rewriter.push(chunk)));
    socket.on('end', () => {
      this.#receive(this.#rewriter.end());
      this.push(null);
    });
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  #receive(pieces: Buffer[]): void {
    for (const piece of pieces) {
      if (!this.push(piece)) this.#socket.pause();
    }
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(
    chunk: Buffer | string,
    encoding: BufferEncoding,
    callback: (error?: Error | null) => void,
  ): void {
    this.#socket.write(chunk, encoding, callback);
  }

  override _writev(
    chunks: { chunk: Buffer | string; encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    this.#socket.cork();
    chunks.forEach(({ chunk, encoding }, index) => {
      this.#socket.write(chunk, encoding, index === chunks.length - 1 ? callback : undefined);
    });
    this.#socket.uncork();
  }

  override _final(callback: () => void): void {
    this.#socket.end(() => callback());
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (this.#socket.closed) {
      callback(error);
      return;
    }
    this.#socket.once('close', () => callback(error));
    this.#socket.destroy();
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  resetAndDestroy(): this {
    this.#socket.resetAndDestroy();
    return this;
  }

  setTimeout(timeoutMs: number, callback?: () => void): this {
    if (callback !== undefined) {
      if (timeoutMs === 0) this.off('timeout', callback);
      else this.once('timeout', callback);
    }
    this.#socket.setTimeout(timeoutMs);
    return this;
  }

  setNoDelay(noDelay?: boolean): this {
    this.#socket.setNoDelay(noDelay);
    return this;
  }

  setKeepAlive(enable?: boolean, initialDelayMs?: number): this {
    this.#socket.setKeepAlive(enable, initialDelayMs);
    return this;
  }

  ref(): this {
    this.#socket.ref();
    return this;
  }

  unref(): this {
    this.#socket.unref();
    return this;
  }

  address(): AddressInfo | object {
    return this.#socket.address();
  }

  get timeout(): number | undefined {
    return this.#socket.timeout;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remoteFamily(): string | undefined {
    return this.#socket.remoteFamily;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress;
  }

  get localFamily(): string | undefined {
    return this.#socket.localFamily;
  }

  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  get bytesWritten(): number {
    return this.#socket.bytesWritten;
  }
}
