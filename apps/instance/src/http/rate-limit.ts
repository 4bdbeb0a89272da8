import { RateLimit } from '@cadmus/model/rate-limit'
import { HttpError } from '../http-error.ts'

export function rateLimit(perSecond: number, burst: number, now: () => number): RateLimit {
  const refusal = (seconds: number) =>
    new HttpError(429, 'Too many requests. Try again in a moment.', { 'retry-after': String(seconds) })
  return new RateLimit({ perSecond, burst, now, refusal })
}
