import { messages } from '../messages.ts'

/** A choice about to be added to the others. Choices are values, so case tells them apart. */
export function choice(value: string, { others }: { others: readonly string[] }): string | undefined {
  const wanted = value.trim()
  if (wanted === '') return messages.fieldRequired
  return others.some(other => other.trim() === wanted) ? messages.duplicateChoice(wanted) : undefined
}

/** A whole list of choices: none empty, none twice. */
export function choices(values: readonly string[]): string | undefined {
  const seen = new Set<string>()
  for (const value of values) {
    const wanted = value.trim()
    if (wanted === '') return messages.fieldRequired
    if (seen.has(wanted)) return messages.duplicateChoice(wanted)
    seen.add(wanted)
  }
  return undefined
}
