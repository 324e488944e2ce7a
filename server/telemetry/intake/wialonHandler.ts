import {
  packetLength,
  packetsIn,
  readPacket,
  readSender,
  type Login,
  type Packet,
} from '../protocols/wialon/packets.ts';
import {
  ProtocolMismatch,
  type Answer,
  type Message,
  type TcpProtocol,
  type UdpProtocol,
} from './protocolHandler.ts';
import { answerPacket, logIn, notAnswered, type PacketAnswer, type WialonDeps } from './wialonPackets.ts';

const name = 'wialon';

/** Black boxes of some tens of kilobytes are usual. */
const longest = 128 * 1024;

/** What a datagram holds beyond that is not answered, and comes again. */
const maxInDatagram = 64;

type DatagramMessage = Parameters<UdpProtocol['take']>[0];

/** The intake's conversation with terminals of Wialon IPS, 1.1 and 2.0. */
export function createWialon(deps: WialonDeps): { tcp: TcpProtocol; udp: UdpProtocol } {
  return { tcp: overTcp(deps), udp: overUdp(deps) };
}

function overTcp(deps: WialonDeps): TcpProtocol {
  return {
    name,
    longest,
    frameLength(bytes) {
      const length = packetLength(bytes);
      if (length === null) throw new ProtocolMismatch('it does not begin with a type between two #');
      return length;
    },
    begin(wire) {
      const origin = { protocol: name, address: wire.remoteAddress };
      /** Who is logged in; null: nobody, and nothing is taken. */
      let owner: Login | null = null;

      async function take(message: Message): Promise<Answer> {
        const packet = readPacket(message.bytes);
        if (packet === null) return null;
        if (packet.type === 'L') {
          const login = logIn(packet.body, message, deps);
          owner = login.owner;
          if (owner !== null) wire.identify(owner.terminalId);
          return login.answer;
        }
        if (owner === null) {
          message.note(`${packet.type} before a login: not taken`);
          return null;
        }
        const answer = await answerPacket(packet, owner, message, { ...deps, origin });
        if (answer !== notAnswered) return answer;
        // Answers do not say what they answer: one to a later packet would pass for this one's.
        wire.destroy();
        return null;
      }

      return { take };
    },
  };
}

/** Each datagram says whose it is: no login is needed. */
function overUdp(deps: WialonDeps): UdpProtocol {
  async function answerOne(
    packet: Packet,
    sender: Login | null,
    message: DatagramMessage,
  ): Promise<PacketAnswer> {
    if (packet.type === 'L') return logIn(packet.body, message, deps).answer;
    if (sender === null) {
      message.note('it does not say which terminal it is');
      return notAnswered;
    }
    message.from(sender.terminalId);
    const origin = { protocol: name, address: message.remoteAddress };
    return answerPacket(packet, sender, message, { ...deps, origin });
  }

  return {
    name,
    async take(message) {
      const packets = packetsIn(message.bytes, maxInDatagram);
      if (packets.length === 0) throw new ProtocolMismatch('it has no type between two #');
      const answers: Buffer[] = [];
      let sender: Login | null = null;
      for (const packet of packets) {
        sender = readSender(packet.sender) ?? sender;
        const answer = await answerOne(packet, sender, message);
        // Answers do not say what they answer: one to a later packet would pass for this one's.
        if (answer === notAnswered) break;
        if (answer !== null) answers.push(answer);
      }
      return answers.length === 0 ? null : Buffer.concat(answers);
    },
  };
}
