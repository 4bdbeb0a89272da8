import type { Enumeration } from '../enumeration.ts'
import { readTypeWord } from '../sheet/words.ts'

type Reference = Pick<Enumeration, 'uid' | 'name'>

/** What a name of a type stands for. `coming`: an enumeration that the manifest does not have yet. */
export type NamedValues = { values: readonly string[]; enumeration: Reference | null; coming?: Reference }
export type EnumsByName = (name: string) => NamedValues | undefined

/** Whether a name can be a type: a word that means another type is none. */
export function isTypeName(name: string): boolean {
  return readTypeWord(name) === undefined
}
