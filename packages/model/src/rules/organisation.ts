import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { boundedText } from './bounded-name.ts'
import { hiddenCharacters } from './hidden-characters.ts'

/** Code of a new organisation: permanent, and used in requests. */
export function organisationCode(value: string): string | undefined {
  const problem = boundedText(value, limits.organisationCode)
  if (problem) return problem
  return /^[A-Z0-9_-]+$/.test(value) ? undefined : messages.administration.codePattern
}

/** Display name of an organisation. */
export function organisationName(value: string): string | undefined {
  const problem = boundedText(value, limits.organisationName)
  if (problem) return problem
  return value === value.trim() ? hiddenCharacters(value) : messages.administration.surroundingSpaces
}

/** A typed number: a subscription (0 for none) or the manifest limit of a licence. */
export function countUpTo(text: string, max: number): string | undefined {
  if (text.trim() === '') return messages.fieldRequired
  return /^\d{1,15}$/.test(text.trim()) && Number(text) <= max ? undefined : messages.administration.count(max)
}
