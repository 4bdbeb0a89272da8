import { type Column, columnName, isTypeAttribute } from '../columns.ts'
import { foreignKeyDataTypes } from '../data-types.ts'
import { clearedBy } from '../edits/entity-actions.ts'
import { type EntityAttribute, newEntityAttribute } from '../entity-attribute.ts'
import { isEqual } from '../equal.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { textTexts } from '../messages/text.ts'
import { foldName } from '../paths.ts'
import { newTypeAttribute, type TypeAttribute } from '../type-attribute.ts'
import type { LineFields } from './line.ts'
import { newEntityId, type Target } from './targets.ts'

/** A line with its fields, and those that its column has had in the text. */
export type ColumnLine = {
  uid: string
  name: string
  fields: LineFields
  old: Column | null
  before: LineFields | undefined
  /** Reports a problem of a field. */
  report: (field: string, message: string) => void
  target: (reference: NonNullable<LineFields['reference']>) => Target | { reason: string }
}

/** The column that a line means. What the text does not show, and what it shows unchanged, is that of the old column. */
export function columnOf(line: ColumnLine): Column {
  return line.fields.reference === null ? attributeOf(line) : relationshipOf(line)
}

type Change<T> = { -readonly [K in keyof T]?: T[K] }

function attributeOf({ uid, name, fields, old, before, report }: ColumnLine): TypeAttribute {
  if (fields.onDelete !== 'restrict') report('onDelete', textTexts.deleteWithoutReference)
  if (fields.onUpdate !== 'restrict') report('onUpdate', textTexts.updateWithoutReference)
  if (fields.alsoBy.length > 0) report('alsoBy', textTexts.furtherWithoutReference)
  const { shape, isKey, nullable, unique, indexed, defaultValue, defaultKind, description } = fields
  const shown = { ...shape, nullable, unique, indexed, defaultValue, defaultKind, description }
  if (!old || !isTypeAttribute(old)) {
    const own = { position: old?.position ?? 0, copiedFrom: old?.copiedFrom ?? null }
    return newTypeAttribute({ uid, name, ...own, ...shown, purpose: isKey ? 'identifiedBy' : 'hasA' })
  }
  const change: Change<TypeAttribute> = before ? changed(shown, { ...before.shape, ...before }) : { ...shown }
  if (name !== old.name) change.name = name
  if (before?.isKey !== isKey) change.purpose = isKey ? 'identifiedBy' : 'hasA'
  return Object.keys(change).length === 0 ? old : { ...old, ...clearedBy(old, change), ...change }
}

function relationshipOf(line: ColumnLine): EntityAttribute {
  const { uid, name, fields, old, before, report } = line
  const { nullable, unique, description, onDelete, onUpdate } = fields
  const foreignKeyDataType = foreignKeyDataTypes.find(type => type === fields.shape.dataType)
  if (foreignKeyDataType === undefined) report('shape', sheetTexts.keyType)
  if (fields.shape.choices.length > 0) report('shape', sheetTexts.notInRelationship('Choices'))
  if (fields.defaultValue !== null || fields.defaultKind !== 'literal')
    report('defaultValue', sheetTexts.notInRelationship('Default'))
  if (fields.indexed) report('indexed', sheetTexts.notInRelationship('Indexed'))
  const shown = { nullable, unique, description, onDelete, onUpdate }
  const former = old && !isTypeAttribute(old) ? old : null
  const target = targetOf(line, former)
  if (!former) {
    const none = { associatedEntity: { id: newEntityId, name: '', path: '' }, associatedEntityTypeAttribute: '' }
    const own = { uid, position: old?.position ?? 0, copiedFrom: old?.copiedFrom ?? null }
    const foreignKeyPurpose = fields.isKey ? 'identifiedBy' : 'hasA'
    const key = {
      foreignKeyTypeAttribute: name,
      foreignKeyPurpose,
      foreignKeyDataType: foreignKeyDataType ?? 'integer',
    } as const
    return newEntityAttribute({ ...own, ...none, ...shown, ...key, alsoBy: pairsOf(line, []), ...target })
  }
  const change: Change<EntityAttribute> = { ...(before ? changed(shown, before) : shown), ...target }
  if (!isEqual(fields.alsoBy, before?.alsoBy)) change.alsoBy = pairsOf(line, former.alsoBy)
  else if (
    target.associatedEntity &&
    former.alsoBy.length > 0 &&
    target.associatedEntity.id !== former.associatedEntity.id
  )
    change.alsoBy = []
  if (name !== columnName(former)) change.foreignKeyTypeAttribute = name
  if (before?.isKey !== fields.isKey) change.foreignKeyPurpose = fields.isKey ? 'identifiedBy' : 'hasA'
  if (foreignKeyDataType && before?.shape.dataType !== foreignKeyDataType)
    change.foreignKeyDataType = foreignKeyDataType
  return Object.keys(change).length === 0 ? former : { ...former, ...change }
}

/** Columns get their uids with the others of the table. */
function pairsOf({ fields }: ColumnLine, former: EntityAttribute['alsoBy']): EntityAttribute['alsoBy'] {
  return fields.alsoBy.map(({ name, target }) => {
    const old = former.find(pair => foldName(pair.name) === foldName(name))
    if (!old) return { uid: '', name, target, targetUid: null }
    return foldName(old.target) === foldName(target) ? old : { ...old, target, targetUid: null }
  })
}

/** The target, if the line names another one than before. */
function targetOf({ fields, before, report, target }: ColumnLine, former: EntityAttribute | null) {
  const { reference } = fields
  const isShown = isEqual([reference?.table, reference?.column], [before?.reference?.table, before?.reference?.column])
  if (!reference || (former && isShown)) return {}
  const read = target(reference)
  if ('reason' in read) {
    report('reference', read.reason)
    return {}
  }
  const { entity, attribute } = read
  if (former && isSameTarget(former, read)) return {}
  return {
    associatedEntity: entity,
    associatedEntityTypeAttribute: attribute.name,
    associatedEntityTypeAttributeUid: attribute.uid,
  }
}

function isSameTarget(
  { associatedEntity, associatedEntityTypeAttribute, associatedEntityTypeAttributeUid: uid }: EntityAttribute,
  { entity, attribute }: Target,
): boolean {
  if (associatedEntity.id !== entity.id || entity.id === newEntityId) return false
  if (uid !== null && attribute.uid !== null) return uid === attribute.uid
  return foldName(associatedEntityTypeAttribute) === foldName(attribute.formerName)
}

/** The values that differ from those before. */
function changed<T extends object>(now: T, before: Readonly<Record<keyof T, unknown>>): Change<T> {
  const change: Change<T> = {}
  for (const key of Object.keys(now) as (keyof T)[]) if (!isEqual(now[key], before[key])) change[key] = now[key]
  return change
}
