import { columnsOf, isTypeAttribute } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import type { Field } from '../fields/field.ts'
import { typeAttributeFields } from '../fields/type-attribute.ts'
import { messages } from '../messages.ts'
import { shapeProblems } from '../rules/entity.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { hasEffect } from './definition.ts'
import { changeAttributeEdits, clearedBy } from './entity-actions.ts'
import { attributeChange, type EntityEdit, relationshipChange } from './entity-edits.ts'

/** An attribute or relationship that a change of several does not change. */
export type RefusedColumn = { uid: string; name: string; reason: string }

const attributeFields: Readonly<Record<string, Field<TypeAttribute>>> = typeAttributeFields

function appliesTo(attribute: TypeAttribute, field: string): boolean {
  const { panel } = attributeFields[field] ?? { panel: null }
  return panel !== null && (panel.applies?.(attribute) ?? true)
}

/**
 * Sets a field of several attributes and relationships as one edit per kind. Columns whose rules refuse the value are unchanged and
 * returned with the reason; columns without the field are omitted.
 */
export function changeColumnsEdits(
  content: EntityContent,
  chosen: readonly { uid: string; name: string }[],
  field: string,
  value: unknown,
): { edits: EntityEdit[]; refused: RefusedColumn[] } {
  const columns = new Map(columnsOf(content).map(column => [column.uid, column]))
  const attributes: Extract<EntityEdit, { kind: 'changeAttributes' }>['changes'] = []
  const relationships: Extract<EntityEdit, { kind: 'changeRelationships' }>['changes'] = []
  const refused: RefusedColumn[] = []
  for (const { uid, name } of chosen) {
    const column = columns.get(uid)
    if (!column) refused.push({ uid, name, reason: messages.deletedRemotely(name) })
    else if (isTypeAttribute(column)) {
      if (!appliesTo(column, field)) continue
      const reason = refusal(column, { [field]: value })
      if (reason !== undefined) refused.push({ uid, name: column.name, reason })
      else
        for (const edit of changeAttributeEdits(content, uid, attributeChange.parse({ [field]: value })))
          if (edit.kind === 'changeAttributes') attributes.push(...edit.changes)
    } else relationships.push({ uid, change: relationshipChange.parse({ [field]: value }) })
  }
  const edits: EntityEdit[] = [
    { kind: 'changeAttributes', changes: attributes },
    { kind: 'changeRelationships', changes: relationships },
  ]
  return { edits: edits.filter(hasEffect), refused }
}

/** Why a type attribute cannot have the value; also if other fields are invalid with it. */
function refusal(attribute: TypeAttribute, change: Partial<TypeAttribute>): string | undefined {
  const [problem] = shapeProblems({ ...attribute, ...clearedBy(attribute, change), ...change }, attribute)
  if (!problem) return undefined
  const { field = '', message } = problem
  const label = attributeFields[field]?.panel?.label
  return Object.hasOwn(change, field) || label === undefined ? message : `${label}: ${message}`
}
