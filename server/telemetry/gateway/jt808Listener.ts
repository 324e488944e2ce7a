import { createRoom } from '../protocols/jt808/parts.ts';
import type { Origin } from '../report.ts';
import type { CommandLinks } from './commandLinks.ts';
import { createDoorParts, watch, type WatchedListener } from './doorParts.ts';
import type { IntakeParts } from './intakeProtocol.ts';
import { createJt808 } from './jt808Conversation.ts';
import { createLineLimit } from './lineLimit.ts';
import { listenTcp } from './tcpListener.ts';
import type { TerminalLinks } from './terminalLinks.ts';

export interface Jt808Parts extends IntakeParts {
  /** Whether a vehicle has this terminal. */
  isKnown: (terminalId: string) => boolean;
  /** Notes that a terminal is there without saying where; resolves when that is stored. */
  heard: (terminalId: string, origin: Origin) => Promise<void>;
  links: TerminalLinks;
  commands: CommandLinks;
}

/** Long messages that are half here, of all connections together. */
const mostPartBytes = 64 * 1024 * 1024;

/** The intake for terminals of JT/T 808, 2011 to 2019. Rejects when the port cannot be had. */
export async function listenJt808(port: number, host: string, given: Jt808Parts): Promise<WatchedListener> {
  const { isKnown, heard, links, commands, ...intake } = given;
  const { clock } = intake;
  const protocol = createJt808({
    isKnown,
    heard,
    links,
    commands,
    clock,
    room: createRoom(mostPartBytes),
    limitKnocks: createLineLimit(clock),
  });
  const door = createDoorParts(protocol.name, intake);
  return watch(await listenTcp(port, host, protocol, door), door);
}
