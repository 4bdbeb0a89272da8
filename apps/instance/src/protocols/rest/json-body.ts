import { holdsMoreThan, isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import { HttpError } from '../../http-error.ts'

/** A number of a body that a JavaScript number cannot hold to its last digit. */
export class LongNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** A body as it was sent, with `LongNumber`s where digits would be lost. Throws an `HttpError` 400 where it is no JSON. */
export function readJson(text: string): unknown {
  // Shorter ones have no room for it.
  if (text.length > 2 * limits.jsonDepth) refuseLarge(text)
  try {
    return mayBeLong.test(text) ? JSON.parse(text, withSource) : JSON.parse(text)
  } catch (error) {
    throw new HttpError(400, 'The body is not valid JSON.', {}, { cause: error })
  }
}

function refuseLarge(text: string): void {
  if (holdsMoreThan(text, limits.callValues)) {
    throw new HttpError(400, `The body holds more than ${limits.callValues} values.`)
  }
  if (isDeeperThan(text, limits.jsonDepth)) {
    throw new HttpError(400, `The body is nested deeper than ${limits.jsonDepth} levels.`)
  }
}

/** Up to 15 digits a number is what its text says. */
const mayBeLong = /[\d.]{16}|\d[eE]/

function withSource(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value !== 'number' || source === undefined || isExact(source, value) ? value : new LongNumber(source)
}

/** Whether a number holds what its text says to the last digit. */
export function isExact(source: string, value: number): boolean {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value)
  return Number.isFinite(value) && source.replace(/[eE].*$/, '').replace(/^-?[0.]*|\./g, '').length <= 15
}
