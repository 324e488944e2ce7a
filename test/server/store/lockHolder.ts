import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { LockHeld, acquireLock } from '../../../server/store/lock.ts';

// As a process of its own: takes the lock that its argument names, says so, and stays until it is killed.
// As a worker: tries to take the lock, and says how that went.
function attempt(file: string): 'taken' | 'held' {
  try {
    acquireLock(file);
    return 'taken';
  } catch (error) {
    if (error instanceof LockHeld) return 'held';
    throw error;
  }
}

if (parentPort) {
  parentPort.postMessage(attempt(z.string().parse(workerData)));
} else {
  process.stdout.write(`${attempt(z.string().parse(process.argv[2]))}\n`);
  process.stdin.resume();
}
