import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createServer as createTlsServer, Server as TlsServer, TLSSocket } from 'node:tls';
import { systemClock, type Clock } from '../clock.ts';
import { createRefreshHeaderRewriter } from './refreshHeader.ts';
import { createUnprovenConnections } from './unprovenConnections.ts';

/** PEM, as `node:tls` takes it. */
export interface ServerCertificate {
  cert: string | Buffer;
  key: string | Buffer;
}

export interface FrontOptions {
  /** Without it the front speaks plain HTTP. */
  tls?: ServerCertificate;
  /** Other than the system's; for tests. */
  clock?: Pick<Clock, 'monotonic' | 'after'>;
  /** Other than the standard ones; for tests. */
  limits?: Partial<FrontLimits>;
}

export interface FrontLimits {
  /**
   * Connections at once, handshakes included. Beyond, the one that has waited longest without a whole request gives
   * way, of the address with the most of them; a new connection is rejected only while all others are being answered.
   */
  connections: number;
  /** A client that takes in nothing of its answer gets no longer. */
  unreadMs: number;
  /** From the first byte of a TLS handshake to its last. */
  handshakeMs: number;
}

const standardLimits: FrontLimits = { connections: 3_000, unreadMs: 60_000, handshakeMs: 20_000 };
/**
 * Of the HTTP server behind: until a request's head is whole, and all of it, which is 8 MiB by a slow line; one that never
 * begins gets the time of a head. An idle connection is kept for longer than the minute after which browsers and proxies
 * close it themselves: no request comes upon one that is being closed. `connections` holds for the idle ones too.
 */
export const requestTimes = {
  headersTimeout: 20_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
};

/** How often it is looked for clients that do not read. */
const lookMs = 5_000;
/** What is written at once: a client that takes it in within `unreadMs` is being answered. */
const writtenAtOnce = 64 * 1024;

/** Below the 5 s in which a signal ends the host, so that the stores still have their time. */
const DEFAULT_GRACE_MS = 2_000;

export type Front = ReturnType<typeof createFront>;

/**
 * Listens in the place of `httpServer`, which must not listen itself: every connection reaches it by its
 * 'connection' event, with the header name that no parser takes repaired on the way (see refreshHeader.ts).
 */
export function createFront(httpServer: HttpServer, options: FrontOptions = {}) {
  const connections = new Map<Duplex, { connection: FrontConnection; answering: Set<ServerResponse> }>();
  const handshakes = new Map<string, Socket>();
  const unproven = createUnprovenConnections<Socket | FrontConnection>();
  const limits = { ...standardLimits, ...options.limits };
  const clock = options.clock ?? systemClock;
  let closing: Promise<void> | undefined;
  let stopLooking = (): void => undefined;

  // Half-open as in the HTTP server's own listener, which decides itself (`httpAllowHalfOpen`) when to end its side.
  const socketOptions = { allowHalfOpen: true, noDelay: true };
  const server =
    options.tls === undefined
      ? createNetServer(socketOptions, serve)
      : createTlsServer(
          {
            ...socketOptions,
            ...options.tls,
            ALPNProtocols: ['http/1.1'],
            handshakeTimeout: limits.handshakeMs,
          },
          (socket) => {
            const peer = peerOf(socket);
            const beneath = handshakes.get(peer);
            if (beneath !== undefined) unproven.remove(beneath);
            handshakes.delete(peer);
            serve(socket);
          },
        ).on('connection', (socket: Socket) => {
          const peer = peerOf(socket);
          if (!makeSpace(socket)) return;
          handshakes.set(peer, socket);
          unproven.add(socket);
          socket.once('close', () => {
            handshakes.delete(peer);
            unproven.remove(socket);
          });
        });

  /** False: the new connection is rejected. */
  function makeSpace(newcomer: Socket): boolean {
    if (connections.size + handshakes.size < limits.connections) return true;
    const other = unproven.oldestOfMost();
    (other ?? newcomer).destroy();
    if (other === undefined) return false;
    forget(other);
    return true;
  }

  function forget(connection: Socket | FrontConnection): void {
    unproven.remove(connection);
    if (connection instanceof FrontConnection) connections.delete(connection);
    else handshakes.delete(peerOf(connection));
  }

  function look(): void {
    for (const { connection } of connections.values())
      if (connection.unread_ms() >= limits.unreadMs) connection.destroy();
    stopLooking = clock.after(lookMs, look);
  }

  function serve(socket: Socket): void {
    if (closing !== undefined) {
      socket.destroy();
      return;
    }
    // One that has shaken hands had its place already.
    if (options.tls === undefined && !makeSpace(socket)) return;
    const connection = new FrontConnection(socket, clock);
    connections.set(connection, { connection, answering: new Set() });
    unproven.add(connection);
    connection.once('close', () => forget(connection));
    httpServer.emit('connection', connection);
  }

  function watchAnswer(request: IncomingMessage, response: ServerResponse): void {
    const entry = connections.get(request.socket);
    if (entry === undefined) return;
    const { connection, answering } = entry;
    answering.add(response);
    const { 'transfer-encoding': coding, 'content-length': length = '0' } = request.headers;
    if (coding === undefined && Number(length) === 0) unproven.remove(connection);
    else request.once('end', () => answering.has(response) && unproven.remove(connection));
    response.once('close', () => {
      answering.delete(response);
      if (answering.size === 0 && connections.has(connection)) {
        // As the newest.
        unproven.remove(connection);
        unproven.add(connection);
      }
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
    /** Another certificate for the connections that begin from now on; nothing without TLS. */
    setCertificate({ cert, key }: ServerCertificate): void {
      if (server instanceof TlsServer) server.setSecureContext({ cert, key });
    },

    /** Port 0 takes any free one. Rejects with the system's error (`EADDRINUSE`, `EACCES`, ...). */
    listen: (port: number, host: string): Promise<AddressInfo> =>
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
          stopLooking = clock.after(lookMs, look);
          // Starts the HTTP server's watch over `headersTimeout` and `requestTimeout`, which it begins on this event.
          httpServer.emit('listening');
          resolve(address);
        });
      }),

    /**
     * Stops listening, cuts idle connections, waits for the answers under way, for at most `graceMs`, and then cuts
     * the rest. A request whose header is not complete yet counts as idle. Resolves when every connection is closed;
     * a second call gets the first one's promise.
     */
    close: (graceMs: number = DEFAULT_GRACE_MS): Promise<void> => {
      closing ??= new Promise((resolve) => {
        const deadline = setTimeout(cutEverything, graceMs);
        server.close(() => {
          clearTimeout(deadline);
          stopLooking();
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

/** A TLS socket does not expose its underlying socket; the two have the same addresses and ports. */
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

  readonly #clock: Pick<Clock, 'monotonic'>;
  /** When the other side took in something last of what is being written; null: nothing is. */
  #taken_ms: number | null = null;

  constructor(socket: Socket, clock: Pick<Clock, 'monotonic'>) {
    super({
      allowHalfOpen: true,
      // Header blocks come as latin1 strings; the socket encodes them without a copy in between.
      decodeStrings: false,
      readableHighWaterMark: socket.readableHighWaterMark,
      writableHighWaterMark: socket.writableHighWaterMark,
    });
    this.#socket = socket;
    this.#clock = clock;
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

  /** Milliseconds since the other side has taken in nothing of what is written; 0 while nothing is. */
  unread_ms(): number {
    return this.#taken_ms === null ? 0 : this.#clock.monotonic() - this.#taken_ms;
  }

  override _write(
    chunk: Buffer | string,
    encoding: BufferEncoding,
    callback: (error?: Error | null) => void,
  ): void {
    this.#send([{ chunk, encoding }], callback);
  }

  override _writev(
    chunks: { chunk: Buffer | string; encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    this.#send(chunks, callback);
  }

  /** So much at a time that what the other side takes in shows. */
  #send(
    chunks: readonly { chunk: Buffer | string; encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    const pieces = chunks.map(({ chunk, encoding }) =>
      typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk,
    );
    let at = 0;
    let offset = 0;
    const next = (error?: Error | null): void => {
      this.#taken_ms = this.#clock.monotonic();
      if (error != null || at === pieces.length) {
        this.#taken_ms = null;
        callback(error);
        return;
      }
      this.#socket.cork();
      for (let left = writtenAtOnce; left > 0 && at < pieces.length;) {
        const piece = pieces[at] ?? Buffer.alloc(0);
        const part = piece.subarray(offset, offset + left);
        left -= part.length;
        offset += part.length;
        if (offset === piece.length) {
          at += 1;
          offset = 0;
        }
        const isLast = left === 0 || at === pieces.length;
        this.#socket.write(part, isLast ? next : undefined);
      }
      this.#socket.uncork();
    };
    next();
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
