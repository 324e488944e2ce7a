import { z } from 'zod';
import { time } from './fields.ts';
import { route } from './route.ts';

export const reportSections = [
  'program',
  'computer',
  'settings',
  'health',
  'counts',
  'storage',
  'metrics',
  'log',
] as const;

const fact = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Fact = z.infer<typeof fact>;

const reportSection = z
  .object({
    section: z.enum(reportSections),
    facts: z.record(z.string(), fact),
    lines: z.array(z.string()).meta({ description: 'text in the order in which it was written' }),
  })
  .meta({ id: 'ProblemReportSection' });

export const problemReport = z
  .object({ created_at: time, sections: z.array(reportSection) })
  .meta({ id: 'ProblemReport' });
export type ProblemReport = z.infer<typeof problemReport>;

export const problemReportRoutes = {
  problemReport: route({
    id: 'getProblemReport',
    tag: 'Service',
    method: 'GET',
    path: '/api/v1/problem-report',
    summary:
      'Get what helps to find a fault: versions, settings, health, counts and the recent log, without secrets, email addresses and telephone numbers. Nothing is sent anywhere',
    access: 'dealer',
    reply: problemReport,
  }),
};
