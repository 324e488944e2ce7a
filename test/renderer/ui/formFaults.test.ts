import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiProblem, Unreachable } from '../../../renderer/api/errors.ts';
import { createDepotTime } from '../../../renderer/format/depotTime.ts';
import { createSpeak } from '../../../renderer/i18n/speak.ts';
import { formatReason } from '../../../renderer/video/requests/failure.ts';
import { createI18n, createTranslate } from '../../../renderer/i18n/text.ts';
import { translatedFiles } from '../i18n/checkTranslation.ts';
import {
  detailText,
  failureOf,
  faultText,
  placeFaults,
  problemText,
} from '../../../renderer/ui/formFaults.ts';
import { causeTexts } from '../../../server/contract/causeTexts.ts';
import { kindOfIssue } from '../../../server/contract/fieldFaults.ts';
import { languages, type TranslatedLanguage } from '../../../server/contract/languages.ts';
import {
  faultKinds,
  problemCodes,
  type FieldError,
  type ProblemCode,
} from '../../../server/contract/problem.ts';
import { taskErrorCode } from '../../../server/contract/video.ts';

const texts = createI18n();
const t = createTranslate(texts);
const speak = createSpeak(texts, () => 'en', { lang: '' });

function problem(code: ProblemCode, errors?: FieldError[]): ApiProblem {
  return new ApiProblem(
    {
      type: 'about:blank',
      title: 'Title',
      status: 400,
      detail: 'The rule Gate watch names it.',
      code,
      request_id: 'r1',
      ...(errors === undefined ? {} : { errors }),
    },
    null,
  );
}

describe('the faults of a form', () => {
  it('the faults of a form stand at the fields that show them, those of a list at the list', () => {
    const faults = [
      { path: 'body.name', message: 'is empty' },
      { path: '/group_ids/0', message: 'is unknown' },
      { path: 'group_ids.1', message: 'is unknown too' },
    ];
    expect(placeFaults(faults, ['name', 'group_ids'], t)).toEqual({
      faults: { name: 'is empty', group_ids: 'is unknown' },
      sentence: null,
    });
  });

  it('the faults of a form stand at the most particular of its fields', () => {
    const faults = [
      { path: 'video', message: 'is not allowed' },
      { path: 'video.after_s', message: 'is too large' },
    ];
    expect(placeFaults(faults, ['video', 'video.after_s'], t).faults).toEqual({
      video: 'is not allowed',
      'video.after_s': 'is too large',
    });
  });

  it('the faults of a form that none of its fields shows are said in one sentence', () => {
    const faults = [
      { path: 'name', message: 'is empty' },
      { path: 'names', message: 'is unknown' },
      { path: 'geometry.coordinates.0', message: 'crosses itself' },
    ];
    expect(placeFaults(faults, ['name'], t)).toEqual({
      faults: { name: 'is empty' },
      sentence: 'names: is unknown; geometry.coordinates.0: crosses itself',
    });
  });
});

describe('the failure of an action', () => {
  it('the failure of an action is shown at the fields when the server refuses a value', () => {
    const error = problem('validation_failed', [{ path: 'name', message: 'is empty' }]);
    expect(failureOf(error, t, { fields: ['name'] })).toEqual({
      faults: { name: 'is empty' },
      sentence: null,
    });
    expect(failureOf(error, t)).toEqual({ faults: {}, sentence: 'name: is empty' });
  });

  it('the failure of an action is said in the form’s own words where it has some', () => {
    const error = problem('in_use');
    expect(failureOf(error, t).sentence).toBe('The rule Gate watch names it.');
    expect(failureOf(error, t, { texts: { in_use: 'It is in use.' } }).sentence).toBe('It is in use.');
    const texts = { in_use: (detail: string) => `In use: ${detail}` };
    expect(failureOf(error, t, { texts }).sentence).toBe('In use: The rule Gate watch names it.');
  });

  it('the failure that the server says itself has its moments in the time of the depot', () => {
    const detail = 'The backup of 2026-11-21T22:05Z was not made: X-1.';
    expect(detailText({ detail }, t, createDepotTime('Europe/Riga'))).toBe(
      'The backup of Sun 22 Nov 00:05 was not made: X-1.',
    );
  });

  it('the failure of an action says that nothing was saved, or was sent, while the server is not reached', () => {
    const error = new Unreachable('down');
    expect(failureOf(error, t).sentence).toBe('The server is not responding. Nothing was saved.');
    expect(failureOf(error, t, { unreachable: 'Not sent.' }).sentence).toBe('Not sent.');
  });
});

describe.each(languages.filter((it): it is TranslatedLanguage => it !== 'en'))(
  'what the server refuses, in %s',
  (language) => {
    beforeEach(async () => {
      const files = await translatedFiles(language);
      texts.addResourceBundle(language, 'translation', Object.assign({}, ...files.values()));
      await speak({ language });
    });
    afterEach(() => speak({}));

    it('what the server refuses has a sentence for each code, with its own words only where they name something', () => {
      const said = problemCodes.map((code) => problemText({ code, detail: 'X-1' }, t));
      // A text that there is none of is its own key.
      expect(said.filter((text) => text.startsWith('problem.'))).toEqual([]);
      // Refusals of one kind are said alike: both end a session.
      expect(new Set(said).size).toBeGreaterThan(problemCodes.length - 3);
      expect(said.filter((text) => !text.includes('X-1')).join(' ')).not.toMatch(
        /\b(the|not|is|was|already)\b/,
      );
      expect(failureOf(problem('not_found'), t).sentence).not.toContain('Gate watch');
      expect(failureOf(problem('in_use'), t).sentence).toContain('The rule Gate watch names it.');
    });

    it('each cause of a detail has a sentence, and one that is unknown here leaves the whole in its own words', () => {
      const values = new Proxy<Record<string, string>>({}, { get: () => 'X-1' });
      const said = Object.keys(causeTexts).map((code) =>
        detailText({ detail: '', causes: [{ code, values }] }, t),
      );
      expect(said.filter((text) => /^(cause\.|$)/.test(text))).toEqual([]);
      expect(said.join(' ')).not.toMatch(/\b(the|not|is|was|already)\b/);
      const causes = [
        { code: 'schedule.not_sent', values: { to: 'a@x.example' } },
        { code: 'mail.rejected', values: { reply: '550 No such user $t(ui.cancel)' } },
      ];
      expect(detailText({ detail: 'own', causes }, t)).toMatch(
        /^[^{}:：]*a@x\.example[.。]? ?[^{}]*550 No such user \$t\(ui\.cancel\)$/,
      );
      const unknown = [...causes, { code: 'of.a_newer_server', values: {} }];
      expect(detailText({ detail: 'own', causes: unknown }, t)).toBe('own');
      const refused = {
        code: 'unavailable',
        detail: 'own',
        causes: [{ code: 'work.closed', values: {} }],
      } as const;
      expect(problemText({ ...refused, causes: [...refused.causes] }, t)).not.toContain('own');
      const fault = { message: 'own', causes: [{ code: 'health.disk_full', values: {} }] };
      expect(faultText(fault, t)).not.toContain('own');
    });

    it('the words of a form go round those of the server by its causes', () => {
      const { problem: refused } = problem('in_use');
      const causes = [{ code: 'geofence.in_a_rule', values: {} }];
      const error = new ApiProblem({ ...refused, causes }, null);
      const texts = { in_use: (detail: string) => `Geofence: ${detail}` };
      const { sentence } = failureOf(error, t, { texts });
      expect(sentence).toBe(`Geofence: ${detailText({ detail: '', causes }, t)}`);
      expect(sentence).not.toContain('Gate watch');
    });

    it('moments and numbers of a cause are written as all others here', () => {
      const time = createDepotTime('Europe/Riga');
      const slept = { from: '2026-11-21T22:05:07.000Z', to: '2026-11-22T05:30Z' };
      const said = detailText({ detail: '', causes: [{ code: 'health.slept', values: slept }] }, t, time);
      expect(said).not.toMatch(/Z\b/);
      expect(said).toContain(`${time.date(Date.parse(slept.from))} ${time.minute(Date.parse(slept.from))}`);
      expect(said).toMatch(/00:05.*07:30/);
      const values = { most: 50_000, there: 49_999, more: 2 };
      const detail = detailText({ detail: '', causes: [{ code: 'quota.vehicles', values }] }, t);
      expect(detail).toContain('50\u2009000');
    });

    it('names of a list are quoted as the language does', () => {
      const [open, close] = { de: '„“', es: '«»', pt: '“”', ru: '«»', zh: '“”' }[language];
      const textOf = (columns: string[]) => {
        const values = { columns, rest: ', … (25)' };
        return detailText({ detail: '', causes: [{ code: 'csv.head_line', values }] }, t);
      };
      expect(textOf(['Kurs, km/h', 'Zeit'])).toContain(
        `${open}Kurs, km/h${close}, ${open}Zeit${close}, … (25)`,
      );
      expect(textOf([])).toContain('–');
    });

    it('why the video of a task failed is said by its code', () => {
      const said = taskErrorCode.options.map(
        (code) => formatReason({ code, detail: 'it answered 403' }, t).how,
      );
      expect(said.filter((text) => text.startsWith('reason.') || text.includes('answered'))).toEqual([]);
      expect(said.join(' ')).not.toMatch(/\b(the|not|is|was|already)\b/);
    });

    it('what is wrong with a field is said by its kind, whoever checked it', () => {
      const said = faultKinds.map((kind) => faultText({ message: 'X-1', kind, limit: 7 }, t));
      expect(said.filter((text) => text.startsWith('fault.'))).toEqual([]);
      expect(new Set(said).size).toBe(faultKinds.length);
      for (const [at, kind] of faultKinds.entries()) {
        expect([kind, said[at]?.includes('7')]).toEqual([kind, /^too_(?!far)/.test(kind)]);
        expect([kind, said[at]?.includes('X-1')]).toEqual([kind, kind === 'other']);
      }
      const { error } = z.string().max(5).safeParse('too long');
      const faults = (error?.issues ?? []).map((it) => ({
        path: 'name',
        message: it.message,
        ...kindOfIssue(it),
      }));
      const sentence = faultText({ message: '', kind: 'too_long', limit: 5 }, t);
      expect(placeFaults(faults, ['name'], t).faults).toEqual({ name: sentence });
      expect(failureOf(problem('validation_failed', faults), t).sentence).toBe(`name: ${sentence}`);
    });
  },
);
