import { messages } from '../messages.ts'
import { hiddenCharacters } from './hidden-characters.ts'

/** A choice to be added to `others`. Choices are values, so they are case-sensitive. */
export function choice(value: string, { others }: { others: readonly string[] }): string | undefined {
  const wanted = value.trim()
  if (wanted === '') return messages.fieldRequired
  if (wanted !== value) return messages.choiceBlanks(wanted)
  const hidden = hiddenCharacters(value)
  if (hidden !== undefined) return hidden
  return others.some(other => other.trim() === wanted) ? messages.duplicateChoice(wanted) : undefined
}

/** A complete list of choices: none empty or repeated; none with surrounding spaces or invisible characters, except `existing` ones. */
export function choices(values: readonly string[], known: readonly string[] = []): string | undefined {
  const seen = new Set<string>()
  const spared = new Set(known)
  for (const value of values) {
    const wanted = value.trim()
    if (wanted === '') return messages.fieldRequired
    if (wanted !== value && !spared.has(value)) return messages.choiceBlanks(wanted)
    const hidden = spared.has(value) ? undefined : hiddenCharacters(value)
    if (hidden !== undefined) return hidden
    if (seen.has(wanted)) return messages.duplicateChoice(wanted)
    seen.add(wanted)
  }
  return undefined
}
