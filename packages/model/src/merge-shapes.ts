import { isEqual } from './equal.ts'
import { shapeFields } from './fields/type-attribute.ts'
import type { Merging } from './merge-fields.ts'
import { labelOf, type Three } from './merge-items.ts'
import { shapeProblems } from './rules/entity-content-rules.ts'
import type { TypeAttribute } from './type-attribute.ts'

/**
 * Two valid attributes may break a rule once merged: one side made it an integer, the other set the default 'x'. The differing fields are
 * then a conflict, and all are taken from one side.
 */
export function soundShapes(
  merging: Merging,
  merged: readonly TypeAttribute[],
  { base, mine, theirs }: Three<readonly TypeAttribute[]>,
): TypeAttribute[] {
  const conflicting = new Set(merging.conflicts.map(({ path, field }) => JSON.stringify([path, field])))
  const [before, left, right] = [base, mine, theirs].map(items => new Map(items.map(item => [item.uid, item])))
  return merged.map(item => {
    const [b, m, t] = [before, left, right].map(items => items?.get(item.uid))
    if (!b || !m || !t || !isBroken(item, { base: b, mine: m, theirs: t })) return item
    const path = `typeAttributes.${labelOf(b)}`
    const fields = shapeFields.filter(field => !isEqual(m[field], t[field]))
    for (const field of fields) {
      if (!conflicting.has(JSON.stringify([path, field])))
        merging.conflicts.push({ path, field, base: b[field], mine: m[field], theirs: t[field] })
    }
    return withFields(item, merging.takes === 'mine' ? m : t, fields)
  })
}

/** The attribute with these fields of another attribute. */
export function withFields(
  item: TypeAttribute,
  from: TypeAttribute,
  fields: readonly (keyof TypeAttribute)[],
): TypeAttribute {
  return { ...item, ...Object.fromEntries(fields.map(field => [field, from[field]])) }
}

function isBroken(item: TypeAttribute, { base, mine, theirs }: Three<TypeAttribute>): boolean {
  const isSame = (a: TypeAttribute, b: TypeAttribute) => shapeFields.every(field => isEqual(a[field], b[field]))
  if (isSame(mine, base) || isSame(theirs, base) || isSame(item, mine) || isSame(item, theirs)) return false
  const own = new Set(shapeProblems(mine, base).map(({ message }) => message))
  return shapeProblems(item, theirs).some(({ message }) => !own.has(message))
}
