import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { causeOf, said } from '../../../../server/contract/causeTexts.ts';
import type { Smtp } from '../../../../server/notifications/channels/channelSettings.ts';
import type { Wording } from '../../../../server/contract/texts/serverWords.ts';
import { createEmail, textOf } from '../../../../server/notifications/channels/email.ts';
import type { Message } from '../../../../server/notifications/channels/sender.ts';
import { createFakeClock } from '../../../support/fakeClock.ts';
import { CERT } from '../../http/frontServerCertificate.ts';
import { openMailServer } from './mailServer.ts';
import { messageOf } from './rows.ts';

const never = new AbortController().signal;

function mailBy(smtp: Partial<Smtp> | null) {
  const clock = createFakeClock();
  const server: Smtp | null =
    smtp === null
      ? null
      : {
          host: '127.0.0.1',
          port: 25,
          security: 'none',
          username: null,
          password: null,
          from: 'fleetdeck@port.example',
          ...smtp,
        };
  const send = createEmail({ smtp: () => server, clock });
  return { clock, sent: (more: Partial<Message> = {}, signal = never) => send(messageOf(more), signal) };
}

/** For this test, the test certificate is one of those that Node trusts. */
function trustOwnCertificate(): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([CERT]);
  onTestFinished(() => setDefaultCACertificates(before));
}

describe('a mail', () => {
  it.each([
    [
      { driver_id: null, name: 'Zoë Ünal', phone: '+44 20 7946 0104', card: null },
      'Zoë Ünal, +44 20 7946 0104',
    ],
    [{ driver_id: null, name: null, phone: null, card: 'AF77' }, 'unknown card AF77'],
  ])('a mail names who drove, with the phone: %o', (driver, line) => {
    expect(textOf(messageOf({ driver }))).toContain(`Driver: ${line}\n`);
    expect(textOf(messageOf())).not.toContain('Driver:');
  });

  it('a mail has its time by the clock of who reads it', () => {
    const timeIn = (wording: Wording) => /Time: (.*)/.exec(textOf(messageOf({ wording })))?.[1];
    expect(timeIn({})).toBe('1 Jul 2026, 06:43:00 (Europe/Berlin)');
    expect(timeIn({ hour_cycle: 'h12' })).toBe('1 Jul 2026, 06:43:00 am (Europe/Berlin)');
  });

  it('a mail goes to one address, as text and as HTML, and names its sender', async () => {
    const { port, mails } = await openMailServer({ disabledCommands: ['STARTTLS'] });
    const message = messageOf();
    expect(await mailBy({ port }).sent(message)).toEqual({
      outcome: 'sent',
      ...said(causeOf('mail.taken')),
    });
    const [mail] = mails;
    expect(mail).toMatchObject({
      from: 'fleetdeck@port.example',
      to: ['someone@example.org'],
      secure: false,
    });
    const raw = mail?.raw ?? '';
    expect(raw).toContain('Subject: [alarm] V 17: Overspeed, 94 km/h, limit 60\r\n');
    expect(raw).toContain('From: Port <fleetdeck@port.example>\r\n');
    expect(raw).toContain(`Message-ID: <${message.delivery_id}@port.example>\r\n`);
    expect(raw).toContain('Auto-Submitted: auto-generated\r\n');
    expect(raw).toContain('Content-Type: text/plain');
    expect(raw).toContain('Content-Type: text/html');
  });

  it('a mail is the same mail at each try', async () => {
    const { port, mails } = await openMailServer({ disabledCommands: ['STARTTLS'] });
    const { sent } = mailBy({ port });
    const message = messageOf();
    await sent(message);
    await sent(message);
    const ids = mails.map((it) => /^Message-ID: (.*)$/m.exec(it.raw)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('a mail holds no header and no receiver that a name has brought in', async () => {
    const { port, mails } = await openMailServer({ disabledCommands: ['STARTTLS'] });
    const trap = 'V 17\r\nBcc: all@example.org\r\n\r\nbody';
    await mailBy({ port }).sent({
      text: trap,
      depot: `Port"\r\nBcc: all@example.org`,
      rule: { rule_id: 'r', name: trap, version: 1 },
    });
    await mailBy({ port }).sent({ target: 'a@example.org\r\nRCPT TO:<all@example.org>' });
    await mailBy({ port }).sent({ target: 'a@example.org, all@example.org' });
    expect(mails.length).toBeGreaterThan(0);
    for (const { to, raw } of mails) {
      expect(to).not.toContain('all@example.org');
      expect(to).toHaveLength(1);
      expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/im);
    }
  });

  it('a mail is sealed by STARTTLS or TLS, with the user name and password', async () => {
    trustOwnCertificate();
    const account = { username: 'fleet', password: 'right' };
    const starttls = await openMailServer({ authOptional: false });
    expect(await mailBy({ port: starttls.port, security: 'starttls', ...account }).sent()).toMatchObject({
      outcome: 'sent',
    });
    const tls = await openMailServer({ secure: true, authOptional: false });
    expect(await mailBy({ port: tls.port, security: 'tls', ...account }).sent()).toMatchObject({
      outcome: 'sent',
    });
    for (const { mails } of [starttls, tls]) expect(mails).toMatchObject([{ secure: true, user: 'fleet' }]);
  });

  it('a mail is not sent where the certificate is not trusted, and the result says so', async () => {
    for (const secure of [false, true]) {
      const { port, mails } = await openMailServer({ secure });
      const result = await mailBy({ port, security: secure ? 'tls' : 'starttls' }).sent();
      expect(result).toMatchObject({ outcome: 'later' });
      expect(result.detail).toMatch(/^The certificate of the mail server is not trusted: .*self-signed/);
      expect(mails).toEqual([]);
    }
  });

  it('a mail is not sent in the open where it is to be sealed', async () => {
    const { port, mails } = await openMailServer({ disabledCommands: ['STARTTLS'] });
    const result = await mailBy({ port, security: 'starttls', username: 'fleet', password: 'right' }).sent();
    expect(result.outcome).toBe('later');
    expect(mails).toEqual([]);
  });

  it('a mail waits while the password is wrong, and says so without it', async () => {
    const { port, mails } = await openMailServer({ authOptional: false, disabledCommands: ['STARTTLS'] });
    const result = await mailBy({ port, username: 'fleet', password: 'wr0ng-secret' }).sent();
    expect(result).toMatchObject({ outcome: 'later', isUnreachable: true });
    expect(result.detail).toMatch(/^The mail server does not accept the user name or password: /);
    expect(result.detail).not.toContain('wr0ng-secret');
    expect(mails).toEqual([]);
  });

  it('a mail is not sent without the login that is set up, where the server offers none', async () => {
    const { port, mails } = await openMailServer({ disabledCommands: ['AUTH', 'STARTTLS'] });
    const result = await mailBy({ port, username: 'fleet', password: 'right' }).sent();
    expect(result.outcome).toBe('later');
    expect(mails).toEqual([]);
  });

  it('a mail is given up for an address that the server refuses, and waits for one that it puts off', async () => {
    const refusal = (responseCode: number) => Object.assign(new Error('mailbox'), { responseCode });
    const codes = { next: 550 };
    const { port } = await openMailServer({
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) => done(refusal(codes.next)),
    });
    const { sent } = mailBy({ port });
    expect(await sent()).toEqual({
      outcome: 'refused',
      detail: 'The mail server rejected it: 550 mailbox',
      causes: [{ code: 'mail.rejected', values: { reply: '550 mailbox' } }],
    });
    codes.next = 451;
    expect(await sent()).toMatchObject({
      outcome: 'later',
      isUnreachable: false,
      detail: 'The mail server deferred it: 451 mailbox',
    });
  });

  it('a mail waits while the server is gone, or is not set up', async () => {
    const { port, close } = await openMailServer();
    await close();
    const gone = await mailBy({ port }).sent();
    expect(gone).toMatchObject({ outcome: 'later', isUnreachable: true });
    expect(gone.detail).toMatch(/^The mail server cannot be reached: /);
    expect(await mailBy(null).sent()).toMatchObject({
      outcome: 'later',
      detail: 'No mail server is set up.',
    });
  });

  it('a mail waits a minute for a server that says nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { clock, sent } = mailBy({ port: (silent.address() as AddressInfo).port });
    const connected = once(silent, 'connection');
    const waiting = sent();
    await connected;
    clock.advance(60_000);
    expect(await waiting).toMatchObject({
      outcome: 'later',
      detail: 'The mail server did not take it within 60 s.',
    });
  });
});
