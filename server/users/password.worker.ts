import { serveOrders } from '../workerChannel.ts';
import { hashPassword, isPassword } from './password.ts';
import type { PasswordOrder } from './passwordHasher.ts';

serveOrders(({ password, hash }: PasswordOrder) =>
  hash === null ? hashPassword(password) : isPassword(password, hash),
);
