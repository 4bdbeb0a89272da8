import { RateLimit } from '@cadmus/model/rate-limit'
import { ApiError } from '../errors/api-error.ts'

/** The registry's plugin counts fixed windows, which lets through twice the burst. */
export function rateLimit(perSecond: number, burst: number, now: () => number): RateLimit {
  const refusal = (retryAfter: number) =>
    new ApiError(429, 'rate_limited', 'Too many requests. Try again in a moment.', { retryAfter })
  return new RateLimit({ perSecond, burst, now, refusal })
}
