import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportedSettings } from '../../../server/app/problemReport.ts';
import { notificationRoutes } from '../../../server/contract/notifications.ts';
import {
  problemReportRoutes,
  reportSections,
  type ProblemReport,
} from '../../../server/contract/problemReport.ts';
import { serviceRoutes, settingsFields } from '../../../server/contract/settings.ts';
import { vehicleRoutes } from '../../../server/contract/vehicles.ts';
import { videoRoutes } from '../../../server/contract/video.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { startTestHost, type Caller, type TestHost } from '../../support/testHost.ts';

const clock = createFakeClock();
/** Words that nothing else makes. */
const planted = {
  depot: 'ZQDEPOTZQ',
  mail: 'ZQMAILPASSZQ',
  webhook: 'ZQ webhook secret ZQ of some length',
  camera: 'ZQCAMERAZQ',
  folder: 'ZQFOLDERZQ',
};
const lines: string[] = [];
let host: TestHost;
let dealer: Caller;

beforeAll(async () => {
  host = await startTestHost({ clock, users: [{ login: 'reader' }], recentLog: () => lines });
  dealer = await host.login();
});
afterAll(() => host.close());

/** Past the time for which a report is kept. */
async function read(): Promise<ProblemReport> {
  clock.advance(10_000);
  return dealer.ask(problemReportRoutes.problemReport);
}
const factsOf = (report: ProblemReport, section: (typeof reportSections)[number]) =>
  report.sections.find((it) => it.section === section)?.facts ?? {};

describe('a problem report', () => {
  it('a report has all sections with versions, counts and sizes', async () => {
    await dealer.ask(vehicleRoutes.create, { body: { name: 'Van 1', terminal_id: '356307042441013' } });
    const report = await read();
    expect(report.sections.map((it) => it.section)).toEqual([...reportSections]);
    expect(factsOf(report, 'program')).toMatchObject({ node: process.versions.node, electron: null });
    expect(factsOf(report, 'program')['sqlite']).toMatch(/^3\./);
    expect(factsOf(report, 'computer')['memory_bytes']).toBeGreaterThan(1e8);
    expect(factsOf(report, 'health')).toMatchObject({ status: 'ok', osmand_connections: 0 });
    expect(factsOf(report, 'counts')).toMatchObject({ users: 2, vehicles: 1 });
    expect(factsOf(report, 'storage')['database_bytes']).toBeGreaterThan(0);
    expect(report.sections.find((it) => it.section === 'metrics')?.lines.join()).toMatch(
      /fleetdeck_commit_seconds_count/,
    );
  });

  it('each setting is in the report, but for those that somebody typed as text', () => {
    const withheld = ['depot_name', 'backup_folder', 'incident_checklists', 'incident_close_reasons'];
    expect([...reportedSettings, ...withheld].sort()).toEqual(Object.keys(settingsFields.shape).sort());
  });

  it('what is secret or typed is in no section, neither among the settings nor in lines of the log', async () => {
    await dealer.ask(serviceRoutes.patchSettings, { body: { depot_name: planted.depot } });
    await dealer.ask(notificationRoutes.patchChannels, {
      body: {
        smtp: {
          host: 'mail.example',
          port: 587,
          security: 'starttls',
          username: 'ann@depot.example',
          password: planted.mail,
          from: 'depot@depot.example',
        },
        webhook_secret: planted.webhook,
      },
    });
    const vehicle = await dealer.ask(vehicleRoutes.create, { body: { name: 'Van 2', terminal_id: 'T2' } });
    await dealer.ask(videoRoutes.createProfile, {
      body: {
        vehicle_id: vehicle.vehicle_id,
        kind: 'http',
        channels: [{ channel: 1, name: 'Front' }],
        connection: { url: 'https://camera.example/{channel}', auth: 'basic', password: planted.camera },
      },
    });
    const jwt = `eyJhbGciOiJIUzI1NiJ9.${randomBytes(30).toString('base64url')}.${randomBytes(32).toString('base64url')}`;
    lines.push(
      ...Object.values(planted).map((secret) =>
        JSON.stringify({ level: 30, time: 1, msg: `tried ${secret}` }),
      ),
      JSON.stringify({ level: 50, time: 2, msg: `refused ${jwt}`, url: `https://x.example/${planted.mail}` }),
      JSON.stringify({ level: 50, time: 3, msg: 'sent', to: ['ann@depot.example', '+44 20 7946 0018'] }),
      'no JSON with ZQMAILPASSZQ in it',
    );
    const report = await read();
    const shown = JSON.stringify(report);
    for (const secret of [planted.mail, planted.webhook, planted.camera]) expect(shown).not.toContain(secret);
    for (const personal of [jwt, 'ann@', 'mail.example', '7946']) expect(shown).not.toContain(personal);
    const settings = JSON.stringify(factsOf(report, 'settings'));
    expect(settings).not.toContain('ZQ');
    expect(factsOf(report, 'settings')).toMatchObject({
      mail_server_set: true,
      mail_port: 587,
      webhook_secret_set: true,
      offline_s: 600,
    });
    expect(report.sections.at(-1)?.lines).toHaveLength(lines.length);
  });

  it('a report is made once in five seconds, however often it is asked for', async () => {
    const first = await read();
    lines.push('{"time":4,"level":30,"msg":"later"}');
    clock.advance(4_000);
    expect(await dealer.ask(problemReportRoutes.problemReport)).toEqual(first);
    expect((await read()).sections.at(-1)?.lines.at(-1)).toMatch(/later/);
  });

  it('a report has the last 1,000 lines of the log', async () => {
    lines.push(
      ...Array.from({ length: 1_500 }, (_, at) => JSON.stringify({ time: at, level: 30, msg: `n${at}` })),
    );
    const shown = (await read()).sections.at(-1)?.lines ?? [];
    expect(shown).toHaveLength(1_000);
    expect(shown.at(-1)).toMatch(/n1499$/);
  });

  it('a user who is no dealer gets no report', async () => {
    const reader = await host.login('reader');
    expect(await reader.outcome(problemReportRoutes.problemReport)).toBe('403 forbidden');
  });
});
