import { type Column, columnName, isTypeAttribute } from '../columns.ts'
import type { AlternativeTarget, EntityAttribute } from '../entity-attribute.ts'
import { FreeNames } from '../free-names.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import { keyPairTexts } from '../messages/key-pairs.ts'
import { sizeTexts } from '../messages/documents.ts'
import { isPrimaryKey, type TypeAttribute } from '../type-attribute.ts'
import { boundedName, boundedText, isTaken, type TakenNames } from './names.ts'

/** `entityId`: the entity with the relationship; undefined until it is stored. */
export function associatedEntity(
  value: { id: number } | null | undefined,
  { entityId }: { entityId?: number },
): string | undefined {
  if (!value || value.id < 1) return messages.required
  return value.id === entityId ? messages.sameEntityAssociated : undefined
}

/** Limits the texts of alternative targets. `before`: the existing ones, which are accepted because an import may have created them. */
export function alternativeTargets(
  value: readonly AlternativeTarget[],
  before: readonly AlternativeTarget[] = [],
): string | undefined {
  const existing = new Set(before.flatMap(texts))
  const isTooLong = (text: string) => text.length > limits.targetText && !existing.has(text)
  return value.some(target => texts(target).some(isTooLong)) ? sizeTexts.target : undefined
}

function texts({ entity, attribute }: AlternativeTarget): string[] {
  return [entity.name, entity.path, attribute]
}

/** Faults of the further columns of a foreign key. `columns`: the entity's own columns by uid. */
export function keyPairFaults(relationship: EntityAttribute, columns: () => ReadonlyMap<string, Column>): string[] {
  const { uid, foreignKeyTypeAttribute, alsoBy } = relationship
  if (alsoBy.length === 0) return []
  if (alsoBy.length >= limits.groups.members) return [keyPairTexts.tooMany]
  const targets = new Set([foldName(relationship.associatedEntityTypeAttribute)])
  const seen = new Map([[uid, foreignKeyTypeAttribute]])
  return alsoBy.flatMap(pair => {
    const column = columns().get(pair.uid)
    if (!column) return [keyPairTexts.unknown(pair.name || pair.uid)]
    const faults: string[] = []
    const name = columnName(column)
    if (seen.has(pair.uid)) faults.push(keyPairTexts.twice(name))
    seen.set(pair.uid, name)
    if (isTypeAttribute(column) && column.dataType === 'object') faults.push(keyPairTexts.object(name))
    if (pair.target.trim() === '' && pair.targetUid === null) faults.push(keyPairTexts.noTarget(name))
    else if (targets.has(foldName(pair.target))) faults.push(keyPairTexts.targetTwice(pair.target))
    if (pair.target.length > limits.targetText) faults.push(sizeTexts.target)
    targets.add(foldName(pair.target))
    return faults
  })
}

/** Target attribute of a relationship: required, 2 to 50 characters. The target's own rules check its pattern. */
export function targetAttribute(value: string): string | undefined {
  return boundedText(value, limits.attributeName)
}

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

/** Characters left for the number of a name in use, such as `_12`. */
const numberLength = 4

/**
 * Default name of a new foreign key: entity and attribute that it refers to, as in `patientId`, in the entity's own style. `taken`:
 * names of the other columns.
 */
export function newForeignKeyName(entity: string, attribute: string, taken: Iterable<string>): string {
  const most = limits.attributeName.max - numberLength
  return new FreeNames({ taken }).take(joinedName(entity, attribute, most))
}

function joinedName(entity: string, attribute: string, most: number): string {
  if (foldName(attribute).startsWith(foldName(entity))) return cut(attribute, most)
  const isCamel = !entity.includes('_') && /[a-z]/.test(entity)
  const head = cut(entity, most - attribute.length - (isCamel ? 0 : 1))
  if (head === '') return cut(attribute, most)
  if (!isCamel) return `${head}_${attribute}`
  return head.charAt(0).toLowerCase() + head.slice(1) + attribute.charAt(0).toUpperCase() + attribute.slice(1)
}

/** A name must not end with an underscore. */
function cut(name: string, length: number): string {
  return name.slice(0, Math.max(0, length)).replace(/_+$/, '')
}
