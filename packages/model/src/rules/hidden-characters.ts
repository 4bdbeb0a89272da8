import { messages } from '../messages.ts'
import { hasHidden } from '../visible-text.ts'

/** Rejects invisible characters in new names, which could imitate another name. For names without a stricter pattern. */
export function hiddenCharacters(value: string): string | undefined {
  return hasHidden(value) ? messages.hiddenCharacters(value) : undefined
}
