import { RateLimit } from '@cadmus/model/rate-limit'
import { ApiError } from '../errors/api-error.ts'

/** The framework's plugin counts in fixed windows, which admits twice the burst. */
export function rateLimit(perSecond: number, burst: number, now: () => number): RateLimit {
  const refusal = (retryAfter: number) =>
    new ApiError(429, 'rate_limited', 'Too many requests. Try again in a moment.', { retryAfter })
  return new RateLimit({ perSecond, burst, now, refusal })
}
