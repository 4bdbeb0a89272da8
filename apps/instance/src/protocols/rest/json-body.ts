import { holdsMoreThan, isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import { HttpError } from '../../http-error.ts'

/** A JSON number that a JavaScript number cannot hold exactly. */
export class LongNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Parses a body, with `LongNumber`s if digits would be lost. Throws an `HttpError` 400 for invalid JSON. */
export function readJson(text: string): unknown {
  // Shorter bodies cannot exceed the limits.
  if (text.length > 2 * limits.jsonDepth) checkSize(text)
  try {
    return mayBeLong.test(text) ? JSON.parse(text, withSource) : JSON.parse(text)
  } catch (error) {
    throw new HttpError(400, 'The body is not valid JSON.', {}, { cause: error })
  }
}

function checkSize(text: string): void {
  if (holdsMoreThan(text, limits.callValues)) {
    throw new HttpError(400, `The body holds more than ${limits.callValues} values.`)
  }
  if (isDeeperThan(text, limits.jsonDepth)) {
    throw new HttpError(400, `The body is nested deeper than ${limits.jsonDepth} levels.`)
  }
}

/** Numbers of up to 15 digits are exact. */
const mayBeLong = /[\d.]{16}|\d[eE]/

function withSource(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value !== 'number' || source === undefined || isExact(source, value) ? value : new LongNumber(source)
}

/** Whether the number represents its source exactly. */
export function isExact(source: string, value: number): boolean {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value)
  return Number.isFinite(value) && source.replace(/[eE].*$/, '').replace(/^-?[0.]*|\./g, '').length <= 15
}
