import type { Task } from '../../../server/contract/video.ts';

/** A task with what matters set; the rest is an ordinary one of channel 1. */
export function sampleTask(fields: Partial<Task> = {}): Task {
  return {
    task_id: crypto.randomUUID(),
    profile_id: '00000000-0000-4000-8000-0000000000aa',
    vehicle_id: '00000000-0000-4000-8000-000000000017',
    terminal_id: '1017',
    channel: 1,
    from: '2026-11-19T11:03:18.000Z',
    to: '2026-11-19T11:04:18.000Z',
    event_id: null,
    stream: null,
    main_task_id: null,
    status: 'queued',
    important: false,
    progress: 0,
    received_bytes: null,
    total_bytes: null,
    attempts: 0,
    error: null,
    file: null,
    created_by: '00000000-0000-4000-8000-000000000001',
    rule_id: null,
    done_at: null,
    expires_at: null,
    version: 1,
    created_at: '2026-11-19T11:05:00.000Z',
    updated_at: '2026-11-19T11:05:00.000Z',
    ...fields,
  };
}

export function doneTask(file: { size_bytes: number; sha256: string }, fields: Partial<Task> = {}): Task {
  return sampleTask({
    status: 'done',
    progress: 1,
    file: { ...file, duration_s: 60, content_type: 'video/mp4', width: 1280, height: 720, starts_at: null },
    ...fields,
  });
}
