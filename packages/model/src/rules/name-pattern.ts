import { messages } from '../messages.ts'

/** Starts with a letter, holds letters, digits and single underscores, ends with a letter or digit. */
const pattern = /^[A-Za-z](?:_?[A-Za-z0-9])*$/

/** The pattern of entity, manifest, type attribute and foreign key names. Judges the text as it is: trim it first. */
export function namePattern(value: string): string | undefined {
  return pattern.test(value) ? undefined : messages.namePattern
}
