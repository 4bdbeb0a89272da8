import { messages } from '../messages.ts'
import { hiddenCharacters } from './hidden-characters.ts'

/** A choice to be added to `others`. Choices are values, so they are case-sensitive. */
export function choice(value: string, { others }: { others: readonly string[] }): string | undefined {
  const trimmed = value.trim()
  if (trimmed === '') return messages.fieldRequired
  if (trimmed !== value) return messages.choiceSpaces(trimmed)
  const hidden = hiddenCharacters(value)
  if (hidden !== undefined) return hidden
  return others.some(other => other.trim() === trimmed) ? messages.duplicateChoice(trimmed) : undefined
}

/** A complete list of choices: none empty or repeated; none with surrounding spaces or invisible characters, except `existing` ones. */
export function choices(values: readonly string[], existing: readonly string[] = []): string | undefined {
  const seen = new Set<string>()
  const accepted = new Set(existing)
  for (const value of values) {
    const trimmed = value.trim()
    if (trimmed === '') return messages.fieldRequired
    if (trimmed !== value && !accepted.has(value)) return messages.choiceSpaces(trimmed)
    const hidden = accepted.has(value) ? undefined : hiddenCharacters(value)
    if (hidden !== undefined) return hidden
    if (seen.has(trimmed)) return messages.duplicateChoice(trimmed)
    seen.add(trimmed)
  }
  return undefined
}
