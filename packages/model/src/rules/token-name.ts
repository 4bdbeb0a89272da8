import { limits } from '../limits.ts'
import { tokenTexts } from '../token-texts.ts'
import { boundedText } from './bounded-name.ts'
import { hiddenCharacters } from './hidden-characters.ts'
import { isTaken, type TakenNames } from './taken-names.ts'

/** `taken`: names of the user's other active access tokens. */
export function tokenName(value: string, { taken }: { taken?: TakenNames } = {}): string | undefined {
  const name = value.trim()
  const problem = boundedText(name, limits.token.name) ?? hiddenCharacters(name)
  if (problem) return problem
  return taken && isTaken(name, taken) ? tokenTexts.exists(name, null) : undefined
}
