import { describe, expect, it } from 'vitest';
import type { TerminalConnection } from '../../../server/contract/terminalCommands.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import {
  faultText,
  formatNews,
  formatReach,
  formatRefusedKind,
  formatSend,
  formatStatus,
  takesKind,
} from '../../../renderer/terminalCommands/commandLabels.ts';
import { respondedCommand, failedCommand, sampleCommand, sentCommand } from './sampleCommand.ts';

const t = createTranslate(createI18n());
const time = createDepotTime('Europe/Berlin');
const now = Date.parse('2026-11-21T12:10:00Z');
const words = { t, time, now };

const teltonika: TerminalConnection = { protocol: 'teltonika', kinds: ['text'] };
const jt808: TerminalConnection = { protocol: 'jt808', kinds: ['text', 'position'] };
const offline: TerminalConnection = { protocol: null, kinds: [] };

describe('the reachability of a terminal', () => {
  it('the reachability of a terminal is given with its protocol, or with how long a command waits', () => {
    expect(formatReach(teltonika, true, t)).toBe('Online by Teltonika');
    expect(formatReach(offline, false, t)).toBe('Offline: commands wait up to 24 hours');
    expect(formatReach(offline, true, t)).toMatch(/^Connected without command support/);
    expect(formatReach(null, true, t)).toBe('Connection status unknown');
  });

  it('the reachability of a terminal leaves out what the connection does not take, and nothing while there is none', () => {
    expect(takesKind(teltonika, 'position')).toBe(false);
    expect(formatRefusedKind(teltonika, 'position', t)).toBe('Teltonika does not support position requests.');
    expect(formatRefusedKind(teltonika, 'text', t)).toBeNull();
    for (const reach of [jt808, offline, null]) {
      expect(takesKind(reach, 'position')).toBe(true);
      expect(formatRefusedKind(reach, 'position', t)).toBeNull();
    }
  });
});

describe('the sentence beside Send', () => {
  it('the sentence beside Send says what goes to whom and when', () => {
    const text = { kind: 'text', text: 'getver' } as const;
    expect(formatSend(text, 'V 17', teltonika, t)).toBe('Will be sent to V 17 at once: getver');
    expect(formatSend(text, 'V 17', offline, t)).toBe(
      'Will be sent to V 17 if its terminal connects within 24 hours: getver',
    );
    expect(formatSend(text, 'V 17', null, t)).toBe('Will be sent to V 17: getver');
    expect(formatSend({ kind: 'position', text: null }, 'V 17', jt808, t)).toBe(
      'V 17 is asked for its position at once.',
    );
    expect(formatSend({ kind: 'position', text: null }, 'V 17', teltonika, t)).toBe(
      'Teltonika does not support position requests.',
    );
    expect(formatSend({ kind: 'text', text: null }, 'V 17', jt808, t)).toBe('Type a text to send.');
  });

  it('the sentence beside Send cuts a long text, which is whole in its field', () => {
    const sentence = formatSend({ kind: 'text', text: 'x'.repeat(500) }, 'V 17', teltonika, t);
    expect(sentence).toMatch(/^Will be sent to V 17 at once: x{59}…$/);
  });
});

describe('the progress of a command', () => {
  const status = (command = sampleCommand(), isOnline = false) =>
    formatStatus(command, { isOnline, ...words });

  it('the progress of a command is given in the time of the depot', () => {
    expect(status()).toBe('Waiting for the terminal, until Sun 22 Nov 13:00');
    expect(status(sampleCommand(), true)).toBe('Waiting to be sent');
    expect(status(sentCommand())).toBe('Sent at 13:00:05, awaiting reply');
    expect(status(respondedCommand())).toBe('Replied at 13:00:09');
    expect(status(sampleCommand({ status: 'cancelled', ended_at: '2026-11-21T12:00:03.000Z' }))).toBe(
      'Cancelled at 13:00:03',
    );
    expect(status(sampleCommand({ status: 'expired' }))).toBe('Expired: terminal did not connect');
  });

  it('the progress of a command gives for each failure its reason, and what the server knows of it', () => {
    const silent = failedCommand('no_response', 'The terminal did not answer in time.');
    expect(status(silent)).toBe('No reply');
    expect(faultText(silent, words)).toBe(
      'Sent at 13:00:05. The terminal did not answer in time. It is not sent again automatically.',
    );
    const refused = failedCommand('terminal_refused', 'The terminal answered with 3, not supported.');
    expect(status(refused)).toBe('Refused by the terminal');
    expect(faultText(refused, words)).toBe('The terminal answered with 3, not supported.');
    expect(status(failedCommand('not_supported', ''))).toBe('Not sent: not supported');
    expect(faultText(respondedCommand(), words)).toBeNull();
  });
});

describe('the notice of a command', () => {
  const news = (command = sampleCommand()) => formatNews(command, 'V 17', t);

  it('the notice of a command is one line with the beginning of the answer', () => {
    expect(news(respondedCommand({ response: 'Ver:1\r\nGPS:2' }))).toBe(
      'V 17 replied to “getver”: Ver:1 GPS:2',
    );
    expect(news(respondedCommand({ response: 'x'.repeat(300) }))).toMatch(/x{59}…$/);
    expect(news(respondedCommand({ response: null }))).toBe('V 17 replied to “getver”.');
    expect(news(respondedCommand({ kind: 'position', text: null, response: '52.5, 13.4' }))).toBe(
      'V 17 replied to the position request: 52.5, 13.4',
    );
  });

  it('the notice of a command names a failure', () => {
    expect(news(failedCommand('no_response', ''))).toBe('V 17 did not reply to “getver”.');
    expect(news(failedCommand('terminal_refused', ''))).toBe('V 17 refused “getver”.');
    expect(news(failedCommand('not_supported', ''))).toBe(
      'V 17: “getver” was not sent, its terminal does not support it.',
    );
    expect(news(sampleCommand({ status: 'expired' }))).toBe(
      'V 17: “getver” was not sent, its terminal did not connect in time.',
    );
  });
});
