import { type Column, columnsOf } from './columns.ts'
import * as z from 'zod'
import { type Change, compareEntities } from './compare.ts'
import { type Configuration, newConfiguration } from './configuration.ts'
import { changedFields } from './edits/configuration-edits.ts'
import { manifestFields } from './edits/manifest-edits.ts'
import { newEntityAttribute } from './entity-attribute.ts'
import { type EntityContent, newEntityContent } from './entity.ts'
import { isEqual, isRecord } from './equal.ts'
import { pairTexts } from './key-pairs.ts'
import { type ManifestContent, newManifestContent } from './manifest.ts'
import { newTypeAttribute } from './type-attribute.ts'

/**
 * A change in an audit entry. `path` and `field` have the form of merge conflicts: '' or 'typeAttributes.code',
 * 'entities.user-defined/Shop/Order', 'configurationBuild.sqlConfiguration'; `field` is '' for the whole item.
 */
export type AuditDifference = {
  change: Change['kind']
  path: string
  field: string
  before: unknown
  after: unknown
}

/** Names of members and sub-manifests by id. */
type MemberNames = { entities: ReadonlyMap<number, string>; manifests: ReadonlyMap<number, string> }

/** Differences between two states of an entity; null represents the state before a creation or after a deletion. */
export function entityDifferences(before: EntityContent | null, after: EntityContent | null): AuditDifference[] {
  const empty = newEntityContent({ name: '', typeAttributes: [] })
  const items = new Map(
    [before, after].flatMap(content => (content ? columnsOf(content) : [])).map(item => [item.uid, item]),
  )
  return compareEntities(before ?? empty, after ?? empty).flatMap(change => differencesOf(change, items))
}

/** Differences between two states of a manifest: fields, added and removed members. */
export function manifestDifferences(
  before: ManifestContent | null,
  after: ManifestContent | null,
  names: MemberNames,
): AuditDifference[] {
  const empty = newManifestContent({ name: '' })
  const [old, now] = [before ?? empty, after ?? empty]
  const types = (content: ManifestContent) => new Map(content.entities.map(({ id, type }) => [id, type]))
  const plain = (content: ManifestContent) => new Map(content.subManifests.map(id => [id, '']))
  return [
    ...manifestFields.flatMap(field => fieldDifference('', field, old[field], now[field])),
    ...memberDifferences('entities', types(old), types(now), names.entities),
    ...memberDifferences('subManifests', plain(old), plain(now), names.manifests),
  ]
}

/** Differences between two states of a configuration. Null before the first save counts as the default configuration. */
export function configurationDifferences(before: Configuration | null, after: Configuration | null): AuditDifference[] {
  const empty = newConfiguration((after ?? before)?.manifestName ?? '')
  const [old, now] = [before ?? empty, after ?? empty]
  return changedFields(old, now).map(({ path, value }) => ({
    change: 'changed',
    path: path.slice(0, -1).join('.'),
    field: path.at(-1) ?? '',
    before: valueAt(old, path),
    after: value,
  }))
}

type Columns = ReadonlyMap<string, Column>

function differencesOf(change: Change, columns: Columns): AuditDifference[] {
  const { step, kind } = change
  const path = step ? `${lists[step.kind]}.${step.name}` : ''
  if (change.kind === 'changed') {
    const { field, before, after } = change
    return [{ change: kind, path, field, before, after }]
  }
  if (change.kind === 'renamed')
    return [{ change: kind, path, field: 'name', before: change.before, after: change.after }]
  const column = step && 'uid' in step ? columns.get(step.uid ?? '') : undefined
  const difference = { change: kind, path, field: '', before: null, after: null }
  if (column === undefined || (kind !== 'added' && kind !== 'removed')) return [difference]
  // The informative fields of an added or removed item.
  const [side, other] = kind === 'added' ? (['after', 'before'] as const) : (['before', 'after'] as const)
  const fields = informativeFields(column).map(([field, value]): AuditDifference => {
    const values = { [side]: value, [other]: null }
    return { change: 'changed', path, field, before: values['before'], after: values['after'] }
  })
  return [{ ...difference, [side]: summary(column) }, ...fields]
}

const omittedFields = new Set([
  'uid',
  'position',
  'copiedFrom',
  'name',
  'dataType',
  'maxLength',
  'foreignKeyTypeAttribute',
  'associatedEntity',
  'associatedEntityTypeAttribute',
  'associatedEntityTypeAttributeUid',
])

/** Fields of a column that differ from the defaults and are not in its summary. */
function informativeFields(column: Column): [field: string, value: unknown][] {
  const usual = new Map<string, unknown>(Object.entries('dataType' in column ? usualAttribute : usualRelationship))
  const shown = 'dataType' in column ? column : { ...column, alsoBy: pairTexts(column) }
  return Object.entries(shown).filter(
    ([field, value]) => !omittedFields.has(field) && !isEqual(value, usual.get(field)),
  )
}

const usualAttribute = newTypeAttribute({ name: '', position: 0 })
const usualRelationship = newEntityAttribute({
  associatedEntity: { id: -1, name: '', path: '' },
  associatedEntityTypeAttribute: '',
  foreignKeyTypeAttribute: '',
  position: 0,
})

const lists = {
  typeAttribute: 'typeAttributes',
  entityAttribute: 'entityAttributes',
  entity: 'entities',
  manifest: 'subManifests',
} as const

/** Short description of a column. */
function summary(column: Column | undefined): string {
  if (column === undefined) return ''
  if ('dataType' in column)
    return column.maxLength === null ? column.dataType : `${column.dataType} (${column.maxLength})`
  return `${column.associatedEntity.name}.${column.associatedEntityTypeAttribute}`
}

function fieldDifference(path: string, field: string, before: unknown, after: unknown): AuditDifference[] {
  return isEqual(before, after) ? [] : [{ change: 'changed', path, field, before, after }]
}

function memberDifferences(
  list: string,
  before: ReadonlyMap<number, string>,
  after: ReadonlyMap<number, string>,
  names: ReadonlyMap<number, string>,
): AuditDifference[] {
  const path = (id: number) => `${list}.${names.get(id) ?? `#${id}`}`
  const removed = [...before].filter(([id]) => !after.has(id))
  const [orderBefore, orderAfter] = [
    [...before.keys()].filter(id => after.has(id)),
    [...after.keys()].filter(id => before.has(id)),
  ]
  return [
    ...removed.map(([id, type]): AuditDifference => ({
      change: 'removed',
      path: path(id),
      field: '',
      before: type,
      after: null,
    })),
    ...[...after].flatMap(([id, type]): AuditDifference[] => {
      const earlier = before.get(id)
      if (earlier === undefined) return [{ change: 'added', path: path(id), field: '', before: null, after: type }]
      return fieldDifference(path(id), 'type', earlier, type)
    }),
    ...(isEqual(orderBefore, orderAfter)
      ? []
      : [{ change: 'moved' as const, path: list, field: 'order', before: null, after: null }]),
  ]
}

function valueAt(state: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), state)
}

const actionTypes = ['CREATE', 'UPDATE', 'DELETE'] as const
export type ActionType = (typeof actionTypes)[number]

/**
 * Kinds of contents in an entry. `scopes`: an organisation's own scopes of a predefined entity. Entries of organisations (name, licence,
 * members) and packages have no contents, only details.
 */
export const contentKinds = ['entity', 'scopes', 'manifest', 'configuration', 'organisation', 'package'] as const
export type ContentKind = (typeof contentKinds)[number]

/** A change of an entity, a manifest or the organisation. Contents are JSON texts with at least name and path. */
export const auditEntrySchema = z.object({
  ID: z.number().int().positive(),
  /** ISO 8601, UTC. */
  LAST_MODIFIED: z.string(),
  USER_NAME: z.string(),
  USER_EMAIL: z.string(),
  ACTION_TYPE: z.enum(actionTypes),
  DESCRIPTION: z.string(),
  ORIGINAL_CONTENT: z.string().nullable(),
  UPDATED_CONTENT: z.string().nullable(),
  ENTITY_NAME: z.string(),
  PATH: z.string(),
  /** Shared by the entries of one change. */
  CHANGE_ID: z.number().int(),
  /** The version that was changed, added or deleted; '' if not recorded. */
  VERSION: z.string(),
  CONTENT_KIND: z.enum(contentKinds),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>
