import { messages } from '../messages.ts'
import { hasHidden } from '../visible-text.ts'

/** No new name holds a character that is not seen: it would pass for another. For names that follow no narrower pattern. */
export function hiddenCharacters(value: string): string | undefined {
  return hasHidden(value) ? messages.hiddenCharacters(value) : undefined
}
