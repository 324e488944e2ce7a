import type { Clock } from '../../clock.ts';
import { frameLength, maxFrame, readFrame } from '../protocols/jt808/frames.ts';
import {
  readMessage,
  terminalIdOf,
  writeMessage,
  type Header,
  type Message,
  fromPlatform,
  fromTerminal,
  isAnswer,
  messageWords,
} from '../protocols/jt808/message.ts';
import { readReports, type MessageReports } from '../protocols/jt808/messageReports.ts';
import type { AssembledMessage, ByteBudget } from '../protocols/jt808/subpackages.ts';
import {
  resendRequestBody,
  generalResponseBody,
  mediaAnswerBody,
  registrationAnswerBody,
  result,
  serverTimeBody,
  type Result,
  readRegistration,
} from '../protocols/jt808/bodies.ts';
import {
  emptyReport,
  unreadableReports,
  type Origin,
  type TerminalReport,
  type Outcome,
} from '../terminalReport.ts';
import {
  ProtocolMismatch,
  type ProtocolHandler,
  type Message as Arrived,
  type TcpProtocol,
  type HandlerConnection,
} from './protocolHandler.ts';
import type { CommandLinks, LinkRequest, TerminalLinks } from './terminalLinks.ts';
import { createJt808Requests, type Jt808Requests, createJt808CommandLink } from './jt808CommandLink.ts';
import { createLongMessages } from './jt808LongMessages.ts';
import type { LogRateLimit } from './logRateLimit.ts';
import { protocolNameOf } from './wrongPort.ts';

/** What all connections of a listener have in common. */
export interface Jt808Shared {
  /** Whether a vehicle has this terminal. */
  isKnown: (terminalId: string) => boolean;
  /** Notes that a terminal is there without saying where; resolves when that is stored. */
  heard: (terminalId: string, origin: Origin) => Promise<void>;
  links: TerminalLinks;
  commands: CommandLinks;
  clock: Clock;
  /** What parts of long messages may take up. */
  room: ByteBudget;
  /** Of the log's lines about terminals that no vehicle has: anybody may register. */
  limitUnknownMessages: LogRateLimit;
}

const name = 'jt808';
/** Terminals send a heartbeat each minute or so. */
const idleMs = 6 * 60_000;
/**
 * Frames in a row that are no message, beyond which a connection is ended as one of another protocol: before and after
 * its authentication. A delimiter that is lost costs two of them, and a bad line some more.
 */
const maxNoMessage = { early: 16, owned: 1_024 };
/** Of a message that cannot be read. */
const recordedBytes = 1_700;

/** JT/T 808, 2011 to 2019. */
export function createJt808(shared: Jt808Shared): TcpProtocol {
  return {
    name,
    longest: maxFrame,
    idleMs,
    frameLength(bytes) {
      // Anything may stand before a frame; this is not followed by one.
      const other = bytes[0] === 0x7e ? null : protocolNameOf(bytes);
      if (other !== null) throw new ProtocolMismatch(`it is ${other}`);
      return frameLength(bytes);
    },
    begin: (wire) => converse(wire, shared),
  };
}

/** Speaks with one terminal. Answers are written as they are known: each says which message it is to. */
function converse(wire: HandlerConnection, deps: Jt808Shared): ProtocolHandler {
  const { clock, links } = deps;
  const { log } = wire;
  const origin: Origin = { protocol: name, address: wire.remoteAddress };
  const ending = new AbortController();
  /** The message at hand, and the work that it made. */
  let arrived: Arrived | null = null;
  let works: Promise<void>[] = [];
  /** The terminal that the connection belongs to; null until it is authenticated. */
  let owner: string | null = null;
  let asks: Jt808Requests | null = null;
  let serial = 0;
  /** Frames in a row that were no message. */
  let noMessage = 0;
  /** Whether the log has it that no vehicle has the terminal. */
  let isReportedOf = false;
  let detach = (): void => undefined;

  const long = createLongMessages({
    room: deps.room,
    clock,
    answer,
    askAgain: ({ message, firstSerial, numbers }) =>
      write(message, fromPlatform.askParts, resendRequestBody(firstSerial, numbers, message)),
    take: (joined) => {
      if (owner !== null) takeWhole(joined, owner);
    },
  });

  function takeSerial(): number {
    const taken = serial;
    serial = (serial + 1) % 0x1_0000;
    return taken;
  }

  function write(
    to: Omit<Header, 'id' | 'serial'>,
    id: number,
    body: Uint8Array,
    number = takeSerial(),
  ): void {
    wire.write(frameTo(to, id, body, number));
  }

  /** As `write`, seen beside what it answers. */
  function reply(to: Message, id: number, body: Uint8Array, answered: Arrived | null = arrived): void {
    const frame = frameTo(to, id, body, takeSerial());
    wire.write(frame);
    answered?.answered(frame);
  }

  function answer(
    message: Message,
    outcome: Result,
    serials: readonly number[] = [message.serial],
    answered = arrived,
  ): void {
    for (const one of serials)
      reply(message, fromPlatform.generalResponse, generalResponseBody(one, message.id, outcome), answered);
  }

  /** What is handed in for the message at hand is seen beside it. */
  function accept(reports: readonly TerminalReport[]): Promise<Outcome[]> {
    return (arrived ?? wire).accept(reports);
  }

  function follow(work: Promise<unknown>): void {
    const settled = work.then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, 'jt808 message was not processed'),
    );
    works.push(settled);
  }

  /** Unknown terminals are recorded like all others: as a message without a vehicle. */
  function recordUnknownTerminal(terminal_id: string): void {
    follow(accept([{ ...emptyReport, terminal_id }]));
  }

  function register(message: Message): void {
    const terminalId = terminalIdOf(message);
    const taken = deps.isKnown(terminalId);
    if (!taken) {
      const left = isReportedOf ? null : deps.limitUnknownMessages();
      if (left !== null)
        log.info(
          { terminal_id: terminalId, ...readRegistration(message.body, message), ...left },
          'registration of an unknown jt808 terminal',
        );
      isReportedOf = true;
      recordUnknownTerminal(terminalId);
    }
    const body = registrationAnswerBody(message.serial, taken ? { taken, code: terminalId } : { taken });
    reply(message, fromPlatform.registrationAnswer, body);
  }

  /**
   * Any code will do. Terminals are known by their number here, by every protocol alike: the code crosses the network
   * in plain text as the number does, so it proves no more; and terminals that come from another platform, or to a host
   * whose data folder was restored, keep the code that they once got and never register again.
   */
  function authenticate(message: Message): void {
    const terminalId = terminalIdOf(message);
    if (!deps.isKnown(terminalId)) {
      recordUnknownTerminal(terminalId);
      answer(message, result.failed);
      return;
    }
    answer(message, result.ok);
    if (owner !== null) return;
    owner = terminalId;
    wire.identify(terminalId);
    const { phoneBcd, version } = message;
    const writeToOwner = (id: number, body: Uint8Array, number?: number) =>
      write({ phoneBcd, version }, id, body, number);
    const waiting = createJt808Requests({ takeSerial, write: writeToOwner, ended: ending.signal, clock });
    asks = waiting;
    const link = {
      localAddress: wire.localAddress,
      phoneBcd,
      ended: ending.signal,
      request: (order: LinkRequest) => waiting.request(order),
      send: (id: number, body: Uint8Array) => writeToOwner(id, body),
    };
    const detachLink = links.attach(terminalId, link);
    const header = { phoneBcd, version };
    const commandLink = createJt808CommandLink({ link, header, isOpen: () => wire.isOpen() });
    const detachCommands = deps.commands.attach(terminalId, commandLink);
    detach = () => {
      detachLink();
      detachCommands();
    };
  }

  /** Acknowledges after the commit; what could not be stored gets no answer, so that the terminal sends it again. */
  async function report(
    joined: AssembledMessage,
    reports: readonly TerminalReport[],
    acknowledge: (from: Arrived | null) => void,
  ): Promise<void> {
    const from = arrived;
    let isTakenIn = false;
    try {
      const outcomes = await accept(reports);
      if (outcomes.some((it) => it.status === 'failed')) return;
      isTakenIn = true;
      // Its vehicle was deleted meanwhile: the terminal must register again.
      if (outcomes.some((it) => it.status === 'unknown')) wire.destroy();
      else acknowledge(from);
    } finally {
      joined.settle(isTakenIn);
    }
  }

  /**
   * Stores what can be read, records what cannot, and says that it is well only when nothing is lost of it. What does
   * not hold together may be parts of two messages: of that nothing can be sure.
   */
  function takeReports(
    joined: AssembledMessage,
    { reports, stated, isWhole, mediaId }: MessageReports,
  ): void {
    const { message, serials, isSure } = joined;
    const answerWith = (outcome: Result) => (from: Arrived | null) => answer(message, outcome, serials, from);
    // A picture is not kept, but it is taken all the same: the terminal would send it again, and what else it has to
    // say waits behind it.
    const answerMedia = (id: number) => (from: Arrived | null) =>
      reply(message, fromPlatform.mediaAnswer, mediaAnswerBody(id), from);
    if (isWhole) {
      const acknowledge = mediaId === undefined ? answerWith(result.ok) : answerMedia(mediaId);
      follow(report(joined, reports, acknowledge));
      return;
    }
    const of = stated === undefined ? '' : `, ${reports.length} of ${stated}`;
    const what = `${messageWords(message.id)} of ${terminalIdOf(message)}${of}: not whole`;
    // What was joined in a pause of the terminal came with no message.
    if (arrived === null) log.debug({ what }, 'jt808 message could not be decoded');
    else arrived.undecodable(what);
    if (!isSure) {
      answerWith(result.badMessage)(arrived);
      joined.settle(false);
      return;
    }
    const hex = Buffer.from(message.body.subarray(0, recordedBytes)).toString('hex');
    const undecodable = unreadableReports(terminalIdOf(message), what, { hex });
    follow(report(joined, [...reports, ...undecodable], answerWith(result.badMessage)));
  }

  function takeWhole(joined: AssembledMessage, terminalId: string): void {
    const { message } = joined;
    if (message.id === fromTerminal.askedPosition) asks?.answered(message.id, message.body);
    const read = readReports(message);
    if (read === null) {
      take(joined, terminalId);
      joined.settle(true);
    } else takeReports(joined, read);
  }

  /** Takes a whole message of the owner that says nothing that is stored. */
  function take({ message, serials }: AssembledMessage, terminalId: string): void {
    switch (message.id) {
      case fromTerminal.generalResponse:
        asks?.answered(message.id, message.body);
        return;
      case fromTerminal.heartbeat:
        if (!deps.isKnown(terminalId)) {
          wire.destroy();
          return;
        }
        answer(message, result.ok);
        follow(deps.heard(terminalId, origin));
        return;
      case fromTerminal.deregister:
        answer(message, result.ok);
        wire.end();
        return;
      case fromTerminal.askTime:
        reply(message, fromPlatform.serverTime, serverTimeBody(clock.now()));
        return;
      default:
        answer(message, isAnswer(message.id) ? result.ok : result.unsupported, serials);
        if (isAnswer(message.id)) asks?.answered(message.id, message.body);
    }
  }

  function dispatch(message: Message): void {
    const terminalId = terminalIdOf(message);
    if (owner !== null && owner !== terminalId) refuseOther(message);
    // An encrypted message could only be read with keys that terminals exchange by other means.
    else if (message.isEncrypted && owner !== null) answer(message, result.unsupported);
    else if (message.id === fromTerminal.register && !message.isEncrypted) register(message);
    else if (message.id === fromTerminal.authenticate && !message.isEncrypted) authenticate(message);
    else if (owner === null) refuseEarly(message);
    else if (message.part === null || message.part.total === 1) takeWhole(inOnePiece(message), owner);
    else long.add(message, message.part);
  }

  function noteOf(message: Message, words: string): void {
    arrived?.note(`${messageWords(message.id)} of ${terminalIdOf(message)}: ${words}`);
  }

  /**
   * Nothing is accepted before the authentication, not even a response, which could pass for a receipt. The response
   * is an error: the terminal then authenticates, or registers, and sends the rejected message again.
   */
  function refuseEarly(message: Message): void {
    noteOf(message, 'before its authentication, not taken');
    const terminalId = terminalIdOf(message);
    if (!deps.isKnown(terminalId)) recordUnknownTerminal(terminalId);
    if (message.id !== fromTerminal.generalResponse) answer(message, result.failed);
  }

  /** A terminal that now sends another number needs a connection of its own: it gets an error and opens one. */
  function refuseOther(message: Message): void {
    noteOf(message, 'not the terminal of this connection');
    if (message.id !== fromTerminal.generalResponse) answer(message, result.failed);
  }

  return {
    async take(one) {
      const frame = readFrame(one.bytes);
      const message = frame === null ? null : readMessage(frame);
      if (message === null) {
        noMessage += 1;
        const max = owner === null ? maxNoMessage.early : maxNoMessage.owned;
        if (noMessage > max) throw new ProtocolMismatch(`${noMessage} frames in a row are no message`);
        one.ignore('no message: its escapes, its length or its check byte does not fit');
        return null;
      }
      noMessage = 0;
      one.from(terminalIdOf(message));
      one.note(`${messageWords(message.id)} of ${terminalIdOf(message)}`);
      arrived = one;
      works = [];
      dispatch(message);
      arrived = null;
      await Promise.all(works);
      return null;
    },
    ended() {
      long.stop();
      detach();
      ending.abort();
    },
  };
}

function frameTo(
  { phoneBcd, version }: Omit<Header, 'id' | 'serial'>,
  id: number,
  body: Uint8Array,
  serial: number,
): Uint8Array {
  return writeMessage({ id, serial, phoneBcd, version }, body);
}

function inOnePiece(message: Message): AssembledMessage {
  return { message, serials: [message.serial], isSure: true, settle: () => undefined };
}
