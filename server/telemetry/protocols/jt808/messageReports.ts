import type { TerminalReport } from '../../terminalReport.ts';
import { readDriver } from './driver.ts';
import { readLocationResponse, readLocation, readLocationBatch } from './location.ts';
import { readMedia, readMediaEvent } from './media.ts';
import type { Message } from './message.ts';
import { fromTerminal } from './messageIds.ts';

/** What a message says that is stored. */
export interface MessageReports {
  /** Those that can be read for sure. */
  reports: TerminalReport[];
  /** How many there are by its own words, where it says so. */
  stated?: number;
  /** Whether nothing of it is lost. */
  isWhole: boolean;
  /** Of a picture, a sound or a video, which has an answer of its own. */
  mediaId?: number;
}

/** @param message whole; null: what it says is not stored, whatever it is */
export function readReports(message: Message): MessageReports | null {
  const { id, body } = message;
  switch (id) {
    case fromTerminal.position:
      return only(readLocation(body, message));
    case fromTerminal.askedPosition:
      return only(readLocationResponse(body, message));
    case fromTerminal.positionBatch:
      return readLocationBatch(body, message);
    case fromTerminal.driver:
      return only(readDriver(body, message));
    case fromTerminal.mediaEvent:
      return only(readMediaEvent(body, message));
    case fromTerminal.media: {
      const media = readMedia(body, message);
      return media === null ? only(null) : { ...only(media.report), mediaId: media.id };
    }
    default:
      return null;
  }
}

function only(report: TerminalReport | null): MessageReports {
  return { reports: report === null ? [] : [report], isWhole: report !== null };
}
