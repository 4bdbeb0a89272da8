import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import { isPrimaryKey, type TypeAttribute } from '../type-attribute.ts'
import { boundedName } from './bounded-name.ts'
import { isTaken, type TakenNames } from './taken-names.ts'

/** `primaryKey`: name of the entity's key, null without one; `taken`: foreign keys of its other relationships. */
export function foreignKeyName(
  value: string,
  { primaryKey, taken }: { primaryKey: string | null; taken: TakenNames },
): string | undefined {
  const problem = boundedName(value, limits.attributeName)
  if (problem) return problem
  if (primaryKey !== null && foldName(value) === foldName(primaryKey)) return messages.keyAsForeignKey
  return isTaken(value, taken) ? messages.foreignKeyExists(value) : undefined
}

/**
 * The non-key type attribute that the foreign key would replace. The page asks for confirmation before
 * (messages.replacesAttribute).
 */
export function replacedAttribute(name: string, typeAttributes: readonly TypeAttribute[]): TypeAttribute | undefined {
  const folded = foldName(name)
  return typeAttributes.find(attribute => !isPrimaryKey(attribute) && foldName(attribute.name) === folded)
}
