import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { declaredAttributes, type ResolvedAttribute } from '@cadmus/model/inherit'
import { foldName } from '@cadmus/model/paths'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { entityStep, manifestPlaces } from '@cadmus/model/problem'
import { defaultKind } from '@cadmus/model/rules/type-attribute'
import { computedDefault } from '@cadmus/model/values/computed'
import { isFault, type Literal, readChoice, readDefault } from '@cadmus/model/values/literal'
import { rowChecks } from './row-checks.ts'
import { groupConstraints } from './group-constraints.ts'
import { columnTypeOf, isIndexable, keyedLength } from './column-types.ts'
import { draftsOf, isDeclaredUnique, type Draft, type ForeignKeyAttribute } from './drafts.ts'
import { tableEntities } from './name-conflicts.ts'
import { charactersOf } from './names.ts'
import { newNotes, noteTexts, type Notes } from './notes.ts'
import { targetId } from './referrers.ts'
import { placeOf, TableCache, type TableInput } from './table-cache.ts'
import { hasNoLength, isKeyed, type KeyPairs, Targets, type Link } from './targets.ts'
import type {
  Check,
  Column,
  ColumnSource,
  ColumnType,
  EntitySource,
  ForeignKey,
  Index,
  Key,
  Note,
  ReferentialAction,
  Schema,
  Table,
} from './tree.ts'

export type TableOptions = {
  /** Whether the database generates a primary key of one integer column. */
  applyAutoIncrement: boolean
}

/**
 * Maps a manifest to tables: one per concrete entity of the resolved model, with inherited attributes and the model's names.
 * Throws NameConflictError.
 */
export function tablesOf(
  resolvedModel: ResolvedModel,
  { applyAutoIncrement }: TableOptions,
): { schema: Schema; notes: readonly Note[] } {
  const { tables: entities, standsFor } = tableEntities(resolvedModel)
  const draftOf = draftsOf(resolvedModel)
  const drafts = entities.map(draftOf)
  const foreignKeys = drafts.flatMap(draft => draft.foreignKeys)
  const keysByTarget = Map.groupBy(foreignKeys, key => targetId(key, standsFor))
  const targets = new Targets(resolvedModel, standsFor, draftOf, id => keysByTarget.get(id) ?? [])
  const places = manifestPlaces(resolvedModel)
  const notes = newNotes()
  const tables: Table[] = []
  for (const draft of drafts) {
    const place = placeOf(draft.entity, resolvedModel, places)
    const table = tableOf({ draft, place, ...targets.linksOf(draft), applyAutoIncrement }, notes)
    if (table) tables.push(table)
  }
  return { schema: { name: resolvedModel.root.name, tables }, notes: notes.list }
}

/** A cache for the tables of successive states of a manifest. */
export function newTables(): TableCache {
  return new TableCache(input => {
    const notes = newNotes()
    return { table: tableOf(input, notes), notes: notes.list }
  })
}

type Context = TableInput & { notes: Notes }

/** A column with the constraints that its attribute declares; a foreign key has a link. */
type DraftColumn = {
  attribute: ResolvedAttribute
  link: Link | undefined
  column: Column
  unique: boolean
  indexed: boolean
}

function tableOf(input: TableInput, notes: Notes): Table | null {
  const { draft, links } = input
  const context = { ...input, notes }
  const source = entitySource(draft, context)
  noteDuplicates(draft, source, notes)
  if (draft.attributes.length === 0) {
    notes.about('noColumns', noteTexts.noColumns(source.name), source)
    return null
  }
  let keys = 0
  const columns = draft.attributes.map(attribute =>
    columnOf(attribute, attribute.kind === 'foreignKey' ? links[keys++] : undefined, source, context),
  )
  const primaryKey = primaryKeyOf(draft, columns, source, notes)
  return {
    name: source.name,
    comment: draft.entity.description.trim(),
    source,
    columns: columns.map(({ column }) => column),
    primaryKey,
    ...constraintsOf(draft, columns, primaryKey, source, notes),
  }
}

function constraintsOf(
  draft: Draft,
  columns: readonly DraftColumn[],
  primaryKey: Key | null,
  source: EntitySource,
  notes: Notes,
): Pick<Table, 'uniques' | 'checks' | 'conditions' | 'indexes' | 'foreignKeys'> {
  const [uniques, checks, indexes, foreignKeys]: [Key[], Check[], Index[], ForeignKey[]] = [[], [], [], []]
  const [keyColumn, ...others] = primaryKey?.columns ?? []
  for (const { attribute, column, unique, indexed } of columns) {
    const isFirst = column.name === keyColumn
    if (unique && !(isFirst && others.length === 0)) uniques.push(uniqueOf(column, source))
    if (indexed && !unique && !isFirst) indexes.push(indexOf(column, source))
    const check = checkOf(attribute, column, source, notes)
    if (check) checks.push(check)
  }
  for (const { attribute, link, column } of columns) {
    const columnOf = (name: string) => columns.find(one => one.column.name === name)?.column
    const key =
      attribute.kind === 'foreignKey' && link ? foreignKeyOf(attribute, link, column, columnOf, source, notes) : null
    if (key) foreignKeys.push(key)
  }
  const grouped = groupConstraints(draft, columns, [...(primaryKey ? [primaryKey] : []), ...uniques], source, notes)
  const conditions = rowChecks(draft, columns, source, notes)
  return {
    uniques: [...uniques, ...grouped.uniques],
    checks,
    ...(conditions.length === 0 ? {} : { conditions }),
    indexes: [...indexes, ...grouped.indexes],
    foreignKeys,
  }
}

function entitySource({ entity }: Draft, { place }: Context): EntitySource {
  return {
    id: entity.id,
    uid: entity.uid,
    name: entity.name.trim(),
    path: entity.path,
    place: [...place, entityStep(entity)],
  }
}

function columnSource(attribute: ResolvedAttribute): ColumnSource {
  if (attribute.kind === 'type') return { kind: 'typeAttribute', uid: attribute.attribute.uid, name: attribute.name }
  return { kind: 'entityAttribute', uid: attribute.relationship.uid, name: attribute.name }
}

function columnOf(
  attribute: ResolvedAttribute,
  link: Link | undefined,
  entity: EntitySource,
  context: Context,
): DraftColumn {
  const { notes } = context
  const source = columnSource(attribute)
  const type = typeOf(attribute, link, context)
  const name = attribute.name.trim()
  const identity = isGenerated(attribute, type, entity, context)
  const isKey = attribute.isPrimaryKey && isIndexable(type)
  const declaration = attribute.kind === 'type' ? attribute.attribute : attribute.relationship
  const plain: Column = {
    name,
    type,
    nullable: attribute.nullable && !isKey,
    default: attribute.kind === 'type' ? defaultOf(attribute, type, identity, entity, notes) : null,
    identity,
    comment: declaration.description.trim(),
    source,
  }
  const column = link?.isFollowed ? { ...plain, follows: { table: link.entity, column: link.attribute } } : plain
  const hasDefaultLength = link ? link.hasDefaultLength : type.kind === 'varchar' && hasNoLength(attribute)
  if (hasDefaultLength) {
    notes.about('lengthGiven', noteTexts.lengthGiven(name, keyedLength), entity, source)
  }
  const length = attribute.kind === 'type' ? attribute.attribute.maxLength : null
  if (type.kind === 'guid' && length !== null && length < 36) {
    notes.about('guidLength', noteTexts.guidLength(name, length), entity, source)
  }
  if (link?.isCyclic) notes.about('referenceCycle', noteTexts.referenceCycle(name), entity, source)
  const unique = isDeclaredUnique(attribute)
  const indexed = attribute.kind === 'foreignKey' || attribute.attribute.indexed
  if (isIndexable(type)) return { attribute, link, column, unique, indexed }
  if (unique || indexed) notes.about('notIndexable', noteTexts.notIndexable(name), entity, source)
  return { attribute, link, column, unique: false, indexed: false }
}

/** Whether the column is a key of one integer, of which databases generate values of 16, 32 or 64 bits. */
function isGenerated(
  attribute: ResolvedAttribute,
  type: ColumnType,
  entity: EntitySource,
  { draft, applyAutoIncrement, notes }: Context,
): boolean {
  const [key, ...others] = draft.key
  const isInteger = attribute.kind === 'type' && attribute.dataType === 'integer'
  if (!applyAutoIncrement || !isInteger || key !== attribute || others.length > 0) return false
  if (type.kind === 'integer' && type.digits === undefined) return true
  notes.about('keyNotGenerated', noteTexts.keyNotGenerated(attribute.name.trim()), entity, columnSource(attribute))
  return false
}

function typeOf(attribute: ResolvedAttribute, link: Link | undefined, { draft, referenced }: TableInput): ColumnType {
  if (attribute.kind === 'type') return columnTypeOf(attribute.attribute, isKeyed(attribute, draft, referenced))
  if (!link) throw new RangeError(`The target of the foreign key '${attribute.name.slice(0, 120)}' is missing.`)
  return link.type
}

function defaultOf(
  attribute: ResolvedAttribute & { kind: 'type' },
  type: ColumnType,
  identity: boolean,
  entity: EntitySource,
  notes: Notes,
): Column['default'] {
  const { defaultValue: text, defaultKind: kind } = attribute.attribute
  if (text === null && kind === 'literal') return null
  if (identity) {
    notes.about('defaultGenerated', noteTexts.defaultGenerated(attribute.name), entity, columnSource(attribute))
    return null
  }
  if (kind === 'literal') {
    const literal = readDefault(text ?? '', attribute.attribute)
    if (!isFault(literal) && hasRoom(type, text ?? '')) return literal
  } else if (defaultKind(kind, attribute.attribute) === undefined) return computedDefault(kind, attribute.attribute)
  notes.about('defaultType', noteTexts.defaultType(attribute.name), entity, columnSource(attribute))
  return null
}

/** A referenced column may get a length that its attribute does not have. */
function hasRoom(type: ColumnType, text: string): boolean {
  return type.kind !== 'varchar' || charactersOf(text) <= type.length
}

function primaryKeyOf(draft: Draft, columns: readonly DraftColumn[], entity: EntitySource, notes: Notes): Key | null {
  if (draft.key.length === 0) {
    notes.about('noKey', noteTexts.noKey(entity.name), entity)
    return null
  }
  const key = draft.key.flatMap(attribute => columns.find(column => column.attribute === attribute) ?? [])
  const unfit = key.find(({ column }) => !isIndexable(column.type))
  if (unfit) {
    notes.about('keyType', noteTexts.keyType(unfit.column.name), entity, unfit.column.source)
    return null
  }
  return {
    name: `pk_${entity.name}`,
    columns: key.map(({ column }) => column.name),
    sources: key.map(({ column }) => column.source),
  }
}

function checkOf(attribute: ResolvedAttribute, column: Column, entity: EntitySource, notes: Notes): Check | null {
  if (attribute.kind === 'foreignKey' || attribute.choices.length === 0) return null
  if (column.identity) {
    notes.about('choicesGenerated', noteTexts.choicesGenerated(column.name), entity, column.source)
    return null
  }
  if (!isIndexable(column.type)) {
    notes.about('choicesUncompared', noteTexts.choicesUncompared(column.name), entity, column.source)
    return null
  }
  const values = choiceValues(attribute.attribute)
  if (values) return { name: `ck_${entity.name}_${column.name}`, column: column.name, values, source: column.source }
  notes.about('choicesType', noteTexts.choicesType(column.name), entity, column.source)
  return null
}

/** The choices as distinct values; null if one does not fit the attribute. */
function choiceValues(attribute: TypeAttribute): Literal[] | null {
  const values = new Map<string, Literal>()
  for (const choice of attribute.choices) {
    const literal = readChoice(choice, attribute)
    if (isFault(literal)) return null
    values.set(String(literal.value), literal)
  }
  return [...values.values()]
}

function uniqueOf({ name, source }: Column, entity: EntitySource): Key {
  return { name: `uq_${entity.name}_${name}`, columns: [name], sources: [source] }
}

function indexOf({ name, source }: Column, entity: EntitySource): Index {
  return { name: `ix_${entity.name}_${name}`, columns: [name], sources: [source], unique: false, onlyPresent: false }
}

/** The foreign key of a relationship; none, with a note, if it cannot be constrained. */
function foreignKeyOf(
  { relationship }: ForeignKeyAttribute,
  { kind, entity: other, attribute: otherColumn, pairs }: Link,
  column: Column,
  columnOf: (name: string) => Column | undefined,
  entity: EntitySource,
  notes: Notes,
): ForeignKey | null {
  const { source, name } = column
  const otherAttribute = relationship.associatedEntityTypeAttribute
  if (relationship.alternativeTargets.length > 0) {
    notes.about('alternatives', noteTexts.alternatives(name), entity, source)
    return null
  }
  switch (kind) {
    case 'missing':
      notes.about('targetGone', noteTexts.targetGone(name, other), entity, source)
      return null
    case 'missingAttribute':
      notes.about('targetAttributeGone', noteTexts.targetAttributeGone(name, other, otherAttribute), entity, source)
      return null
    case 'external':
      notes.about('external', noteTexts.external(name, other), entity, source)
      return null
    case 'notUnique':
      notes.about('targetNotUnique', noteTexts.targetNotUnique(name, other, otherAttribute), entity, source)
      return null
    case 'constrained':
      return constrainedKey(
        relationship,
        pairs ?? singlePair(name, otherColumn),
        other,
        column,
        columnOf,
        entity,
        notes,
      )
  }
}

function singlePair(name: string, target: string): KeyPairs {
  return { problem: null, columns: [name], targets: [target] }
}

function constrainedKey(
  relationship: EntityAttribute,
  pairs: KeyPairs,
  other: string,
  column: Column,
  columnOf: (name: string) => Column | undefined,
  entity: EntitySource,
  notes: Notes,
): ForeignKey | null {
  const { source, name } = column
  if (pairs.problem !== null) {
    const { problem, name: further, target } = pairs
    notes.about('keyPairs', noteTexts.keyPairs[problem](name, further, other, target), entity, source)
    return null
  }
  const parts = pairs.columns.flatMap(one => columnOf(one) ?? [])
  return {
    name: `fk_${entity.name}_${name}`,
    columns: pairs.columns,
    references: { table: other, columns: pairs.targets },
    ...actionsOf(relationship, parts, column, entity, notes),
    source,
  }
}

function actionsOf(
  { onDelete, onUpdate }: EntityAttribute,
  columns: readonly Column[],
  column: Column,
  entity: EntitySource,
  notes: Notes,
): Pick<ForeignKey, 'onDelete' | 'onUpdate'> {
  const isEmptied = onDelete === 'setNull' || onUpdate === 'setNull'
  const isRefused = isEmptied && !columns.every(({ nullable }) => nullable)
  if (isRefused) notes.about('setNullRequired', noteTexts.setNullRequired(column.name), entity, column.source)
  const allowed = (action: ReferentialAction) => (isRefused && action === 'setNull' ? 'restrict' : action)
  return { onDelete: allowed(onDelete), ...(allowed(onUpdate) === 'restrict' ? {} : { onUpdate }) }
}

/** Names that differ only in case are equal: the last attribute becomes the column. */
function noteDuplicates({ entity, attributes }: Draft, source: EntitySource, notes: Notes): void {
  const own = attributes.reduce((count, { origin }) => (origin === 'own' ? count + 1 : count), 0)
  if (own === entity.typeAttributes.length + entity.entityAttributes.length) return
  const seen = new Set<string>()
  for (const attribute of declaredAttributes(entity)) {
    const name = foldName(attribute.name)
    if (seen.has(name)) {
      notes.about('repeatedAttribute', noteTexts.repeatedAttribute(attribute.name), source, columnSource(attribute))
    }
    seen.add(name)
  }
}
