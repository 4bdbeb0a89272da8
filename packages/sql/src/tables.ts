import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { declaredAttributes, type ResolvedAttribute } from '@cadmus/model/inherit'
import { foldName } from '@cadmus/model/paths'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { entityStep } from '@cadmus/model/problem'
import { isFault, type Literal, readChoice, readDefault } from '@cadmus/model/values/literal'
import { columnTypeOf, isIndexable, keyedLength } from './column-types.ts'
import { isDeclaredUnique, type Draft, type ForeignKeyAttribute } from './drafts.ts'
import { charactersOf } from './names.ts'
import { newNotes, noteTexts, type Notes } from './notes.ts'
import { TableCache, type TableInput } from './table-cache.ts'
import { hasNoLength, isKeyed, type Link } from './targets.ts'
import type {
  Check,
  Column,
  ColumnSource,
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
  options: TableOptions,
): { schema: Schema; notes: readonly Note[] } {
  const results = newTables().at(resolvedModel, options)
  const tables = results.flatMap(({ table }) => table ?? [])
  return { schema: { name: resolvedModel.root.name, tables }, notes: results.flatMap(({ notes }) => notes) }
}

/** A cache for the tables of successive states of a manifest. */
export function newTables(): TableCache {
  return new TableCache(makeTable)
}

function makeTable(input: TableInput): { table: Table | null; notes: readonly Note[] } {
  const notes = newNotes()
  const { foreignKeys } = input.draft
  const links = new Map(input.links.map((link, index) => [foreignKeys[index], link]))
  return { table: tableOf({ ...input, notes, linkOf: key => links.get(key) }), notes: notes.list }
}

type Context = TableInput & { notes: Notes; linkOf(key: ForeignKeyAttribute): Link | undefined }

/** A column with the constraints that its attribute declares. */
type DraftColumn = { attribute: ResolvedAttribute; column: Column; unique: boolean; indexed: boolean }

function tableOf(context: Context): Table | null {
  const { draft } = context
  const source = entitySource(draft, context)
  noteDuplicates(draft, source, context.notes)
  if (draft.attributes.length === 0) {
    context.notes.about('noColumns', noteTexts.noColumns(source.name), source)
    return null
  }
  const columns = draft.attributes.map(attribute => columnOf(attribute, source, context))
  const primaryKey = primaryKeyOf(draft, columns, source, context.notes)
  const isSoleKey = (name: string) => primaryKey?.columns.length === 1 && primaryKey.columns[0] === name
  const uniques = columns.filter(({ unique, column }) => unique && !isSoleKey(column.name))
  const indexed = columns.filter(
    ({ indexed: requested, unique, column }) => requested && !unique && primaryKey?.columns[0] !== column.name,
  )
  return {
    name: source.name,
    comment: draft.entity.description.trim(),
    source,
    columns: columns.map(({ column }) => column),
    primaryKey,
    uniques: uniques.map(({ column }) => uniqueOf(column, source)),
    checks: columns.flatMap(({ attribute, column }) => checkOf(attribute, column, source, context.notes)),
    indexes: indexed.map(({ column }) => indexOf(column, source)),
    foreignKeys: columns.flatMap(({ attribute, column }) => foreignKeyOf(attribute, column, source, context)),
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

function columnOf(attribute: ResolvedAttribute, entity: EntitySource, context: Context): DraftColumn {
  const { draft, notes } = context
  const source = columnSource(attribute)
  const link = attribute.kind === 'foreignKey' ? linkOf(attribute, context) : null
  const type = attribute.kind === 'type' ? ownType(attribute, context) : linkOf(attribute, context).type
  const name = attribute.name.trim()
  const soleKey = draft.key.length === 1 && draft.key[0] === attribute
  const identity = context.applyAutoIncrement && soleKey && attribute.kind === 'type' && type.kind === 'integer'
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
  if (isIndexable(type)) return { attribute, column, unique, indexed }
  if (unique || indexed) notes.about('notIndexable', noteTexts.notIndexable(name), entity, source)
  return { attribute, column, unique: false, indexed: false }
}

function ownType(attribute: ResolvedAttribute & { kind: 'type' }, { draft, referenced }: Context): Column['type'] {
  return columnTypeOf(attribute.attribute, isKeyed(attribute, draft, referenced))
}

function linkOf(key: ForeignKeyAttribute, context: Context): Link {
  const link = context.linkOf(key)
  if (!link) throw new RangeError(`The target of the foreign key '${key.name.slice(0, 120)}' is missing.`)
  return link
}

function defaultOf(
  attribute: ResolvedAttribute & { kind: 'type' },
  type: Column['type'],
  identity: boolean,
  entity: EntitySource,
  notes: Notes,
): Literal | null {
  const text = attribute.attribute.defaultValue
  if (text === null) return null
  if (identity) {
    notes.about('defaultGenerated', noteTexts.defaultGenerated(attribute.name), entity, columnSource(attribute))
    return null
  }
  const literal = readDefault(text, attribute.attribute)
  if (!isFault(literal) && hasRoom(type, text)) return literal
  notes.about('defaultType', noteTexts.defaultType(attribute.name), entity, columnSource(attribute))
  return null
}

/** A referenced column may get a length that its attribute does not have. */
function hasRoom(type: Column['type'], text: string): boolean {
  return type.kind !== 'varchar' || charactersOf(text) <= type.length
}

function primaryKeyOf(draft: Draft, columns: readonly DraftColumn[], entity: EntitySource, notes: Notes): Key | null {
  if (draft.key.length === 0) {
    notes.about('noKey', noteTexts.noKey(entity.name), entity)
    return null
  }
  const key = columns.filter(({ attribute }) => attribute.isPrimaryKey)
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

/** Shared, as most columns have neither a check nor a foreign key. */
const none: readonly never[] = []

function checkOf(attribute: ResolvedAttribute, column: Column, entity: EntitySource, notes: Notes): readonly Check[] {
  if (attribute.kind === 'foreignKey' || attribute.choices.length === 0) return none
  if (column.identity) {
    notes.about('choicesGenerated', noteTexts.choicesGenerated(column.name), entity, column.source)
    return []
  }
  if (!isIndexable(column.type)) {
    notes.about('choicesUncompared', noteTexts.choicesUncompared(column.name), entity, column.source)
    return []
  }
  const values = choiceValues(attribute.attribute)
  if (values) return [{ name: `ck_${entity.name}_${column.name}`, column: column.name, values, source: column.source }]
  notes.about('choicesType', noteTexts.choicesType(column.name), entity, column.source)
  return []
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
  attribute: ResolvedAttribute,
  column: Column,
  entity: EntitySource,
  context: Context,
): readonly ForeignKey[] {
  if (attribute.kind === 'type') return none
  const { relationship } = attribute
  const { notes } = context
  const { source, name } = column
  const { kind, entity: other, attribute: otherColumn } = linkOf(attribute, context)
  const otherAttribute = relationship.associatedEntityTypeAttribute
  if (relationship.alternativeTargets.length > 0) {
    notes.about('alternatives', noteTexts.alternatives(name), entity, source)
    return []
  }
  switch (kind) {
    case 'missing':
      notes.about('targetGone', noteTexts.targetGone(name, other), entity, source)
      return []
    case 'missingAttribute':
      notes.about('targetAttributeGone', noteTexts.targetAttributeGone(name, other, otherAttribute), entity, source)
      return []
    case 'external':
      notes.about('external', noteTexts.external(name, other), entity, source)
      return []
    case 'notUnique':
      notes.about('targetNotUnique', noteTexts.targetNotUnique(name, other, otherAttribute), entity, source)
      return []
    case 'constrained': {
      const onDelete = deletionOf(relationship.onDelete, column, entity, notes)
      const references = { table: other, columns: [otherColumn] }
      return [{ name: `fk_${entity.name}_${name}`, columns: [name], references, onDelete, source }]
    }
  }
}

function deletionOf(
  requested: ReferentialAction,
  column: Column,
  entity: EntitySource,
  notes: Notes,
): ReferentialAction {
  if (requested !== 'setNull' || column.nullable) return requested
  notes.about('setNullRequired', noteTexts.setNullRequired(column.name), entity, column.source)
  return 'restrict'
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
