import { resolveModel, type ResolvedModel } from '../resolved-model.ts'
import { newEntityAttribute, onDeleteActions, type EntityAttribute } from '../entity-attribute.ts'
import { type Column, columnName, columnsOf, isKey } from '../columns.ts'
import { newEntityContent, type EntityNode } from '../entity.ts'
import type { Group, GroupKind } from '../group.ts'
import { call, withAttributes } from '../conditions/condition.ts'
import { withSettledChecks } from '../checks.ts'
import { entityTypes } from '../entity-types.ts'
import { newManifestContent, type ManifestNode } from '../manifest.ts'
import { foldName } from '../paths.ts'
import { dataTypes, formats, newTypeAttribute, type DataType, type TypeAttribute } from '../type-attribute.ts'
import { computedKindOf } from '../values/computed.ts'
import { newUid } from '../uid.ts'
import { arbitraryConditionOn } from './arbitrary-conditions.ts'
import { edgeAttribute, edgeNames, manyAttributes } from './arbitrary-edges.ts'
import { withPairs } from './arbitrary-pairs.ts'
import { seededRandom, type Random } from './seeded-random.ts'

// For tests only: random models, reproducible by seed.

export type ArbitraryOptions = {
  /** `valid` names follow the rules; `any` includes imported names that break them. */
  names?: 'valid' | 'any'
  /** Maximum number of entities. */
  size?: number
  /** Sometimes adds an entity with more or longer attributes than a database allows; slow. */
  crowds?: boolean
  /** Draws checks, too. */
  checks?: boolean
}

/** A manifest with sub-manifests, inheritance, references inside and outside, and attributes of every kind. */
export function arbitraryModel(
  seed: number,
  { names = 'any', size = 8, crowds = false, checks = false }: ArbitraryOptions = {},
): ResolvedModel {
  const random = seededRandom(seed)
  const entities: EntityNode[] = []
  const taken = new Set<string>()
  const count = random.between(1, size)
  for (let id = 1; id <= count; id += 1) entities.push(arbitraryEntity(id, entities, names, taken, random))
  if (crowds && random.chance(0.2)) crowd(random.pick(entities), random)
  const referring = entities.map(entity => withReferences(entity, entities, names, random))
  const grouped = withGroups(referring, seededRandom(seed + groupSeed))
  const paired = withPairs(grouped, seededRandom(seed + pairSeed))
  const checked = (entity: EntityNode) =>
    withChecks(entity, byIdOf(paired), seededRandom(seed * 31 + entity.id + checkSeed))
  const linked = checks ? paired.map(checked) : paired
  const inside = linked.filter(() => !random.chance(0.1))
  return resolvedModelFrom(inside.length === 0 ? linked : inside, linked, random)
}

const plainWords = ['Account', 'Order', 'Customer', 'amount', 'createdOn', 'Select', 'group', 'User', 'Table', 'index']
const oddWords = [
  'a"b',
  "it's",
  'back\\slash',
  'grave`',
  ']bracket[',
  'naïve',
  'Ключ',
  '名前',
  '😀👍🏽',
  'a\nb',
  '-- x',
  '); DROP TABLE y;',
  '$(x)&y',
  '#hash',
  'ROWID',
  'xmin',
  'DB_ROW_ID',
  'trail ',
  '\u0000\u0007',
  '\ud800',
  'x'.repeat(70),
  '表'.repeat(70),
  'long name '.repeat(1000),
  ...edgeNames,
]

function arbitraryName(kind: 'valid' | 'any', taken: Set<string>, random: Random): string {
  for (;;) {
    const word = kind === 'any' && random.chance(0.3) ? random.pick(oddWords) : random.pick(plainWords)
    const name = random.chance(0.5) ? `${word}${random.between(1, 99)}` : word
    if (foldName(name) === '' || taken.has(foldName(name))) continue
    taken.add(foldName(name))
    return name
  }
}

function arbitraryEntity(
  id: number,
  earlier: readonly EntityNode[],
  names: 'valid' | 'any',
  taken: Set<string>,
  random: Random,
): EntityNode {
  const parent = earlier.length > 0 && random.chance(0.3) ? random.pick(earlier) : null
  // A child with its parent's name shares the parent's table.
  const name = parent && random.chance(0.3) ? caseOf(parent.name, random) : arbitraryName(names, taken, random)
  const own = new Set<string>()
  const keys = random.pick([0, 1, 1, 1, 1, 2])
  const length = random.between(0, 8)
  const attributes = [
    ...Array.from({ length: keys }, () => arbitraryKey(arbitraryName(names, own, random), random)),
    ...Array.from({ length }, () => arbitraryAttribute(arbitraryName(names, own, random), random)),
  ]
  // Imported names may differ only in case.
  const again = names === 'any' && attributes.length > 0 && random.chance(0.1) ? [random.pick(attributes)] : []
  const twins = again.map(({ name: twin }) => arbitraryAttribute(caseOf(twin, random), random))
  const typeAttributes = [...attributes, ...twins].map((attribute, position) => ({ ...attribute, position }))
  const content = newEntityContent({
    name,
    description: random.chance(0.5) ? random.pick(oddWords) : '',
    type: random.pick(entityTypes),
    extendsEntity: parent && { id: parent.id, name: parent.name, path: parent.path },
    typeAttributes,
  })
  return { ...content, id, path: `user-defined/Arbitrary/${id}` }
}

/** Adds many attributes to the entity. */
function crowd(entity: EntityNode, random: Random): void {
  const first = entity.typeAttributes.length
  entity.typeAttributes.push(
    ...manyAttributes(random).map((fields, index) =>
      newTypeAttribute({ name: `crowd ${index}`, ...fields, position: first + index }),
    ),
  )
}

function caseOf(name: string, random: Random): string {
  return random.chance(0.5) || foldName(name) !== foldName(name.toUpperCase()) ? name : name.toUpperCase()
}

function arbitraryKey(name: string, random: Random): TypeAttribute {
  const dataType = random.chance(0.9) ? random.pick(['integer', 'string'] as const) : random.pick(dataTypes)
  const format = random.chance(0.3) ? random.pick(formats) : null
  const maxLength = dataType === 'string' && random.chance(0.4) ? random.pick([1, 36, 100, 700, 4000]) : null
  return newTypeAttribute({ name, position: 0, purpose: 'identifiedBy', dataType, format, maxLength })
}

function arbitraryAttribute(name: string, random: Random): TypeAttribute {
  if (random.chance(0.25)) return newTypeAttribute({ name, position: 0, ...edgeAttribute(random) })
  const dataType = random.pick(dataTypes)
  const attribute = newTypeAttribute({
    name,
    position: 0,
    dataType,
    nullable: random.chance(0.6),
    description: random.chance(0.2) ? random.pick(oddWords) : '',
    format: random.chance(0.3) ? random.pick(formats) : null,
    maxLength: dataType === 'string' && random.chance(0.4) ? random.pick([1, 20, 255, 2000, 20_000, 20_000_000]) : null,
    choices: random.chance(0.15) ? arbitraryChoices(dataType, random) : [],
    defaultValue: random.chance(0.2) ? random.pick(defaultsOf[dataType]) : null,
    unique: random.chance(0.15),
    indexed: random.chance(0.15),
    precision: random.chance(0.2) ? random.pick([1, 10, 18, 20, 38, 65, 1000]) : null,
    scale: random.chance(0.2) ? random.pick([0, 2, 30, 38]) : null,
  })
  const kind = computedKindOf(attribute)
  const isComputed = kind && attribute.description === '' && attribute.choices.length === 0
  return isComputed && attribute.defaultValue === null ? { ...attribute, defaultKind: kind } : attribute
}

const defaultsOf: Record<DataType, readonly string[]> = {
  boolean: ['true', 'FALSE', '1', 'maybe'],
  dateTime: [
    '2026-01-02',
    '2026-01-02T03:04:05.678Z',
    '2026-01-02T03:04:05+02:00',
    '23:59:59',
    'yesterday',
    '2023-02-29',
  ],
  double: ['0', '-1.5', '1e300', '1e999', 'NaN'],
  float: ['0.1', '123456789.123456789', '.5', ''],
  integer: ['0', '-32769', '2147483648', '9223372036854775807', '9223372036854775808', '1.5'],
  object: ['{}', '[1, "it\'s"]', '{"a":"\\\\"}', '{'],
  string: ['', "it's", 'back\\slash', 'line\nbreak', 'R&D', '$(x)', '😀', '\u0000', 'x'.repeat(300), 'x'.repeat(5000)],
}

function arbitraryChoices(dataType: DataType, random: Random): string[] {
  const values =
    dataType === 'string' ? [...defaultsOf.string, 'a', 'b', 'A'] : ['1', '2', '3', ...defaultsOf[dataType]]
  return Array.from({ length: random.between(1, 5) }, () => random.pick(values))
}

/** Foreign keys to random entities, mostly to their keys; sometimes to missing ones, or with alternative targets. */
function withReferences(
  entity: EntityNode,
  all: readonly EntityNode[],
  names: 'valid' | 'any',
  random: Random,
): EntityNode {
  const taken = new Set(entity.typeAttributes.map(attribute => foldName(attribute.name)))
  const entityAttributes = Array.from({ length: random.between(0, 3) }, (_, index): EntityAttribute => {
    const target = random.pick(all)
    const key = target.typeAttributes.find(attribute => attribute.purpose === 'identifiedBy')
    const attribute = key && random.chance(0.8) ? key.name : pickedName(target, random)
    return newEntityAttribute({
      associatedEntity: { id: random.chance(0.05) ? -1 : target.id, name: target.name, path: target.path },
      associatedEntityTypeAttribute: attribute,
      foreignKeyTypeAttribute: arbitraryName(names, taken, random),
      foreignKeyPurpose: random.chance(0.1) ? 'identifiedBy' : 'hasA',
      foreignKeyDataType: key?.dataType === 'string' ? 'string' : 'integer',
      nullable: random.chance(0.6),
      unique: random.chance(0.2),
      onDelete: random.pick(onDeleteActions),
      alternativeTargets: random.chance(0.1) ? [{ entity: { ...reference(random.pick(all)) }, attribute: 'id' }] : [],
      position: random.between(0, entity.typeAttributes.length + index),
    })
  })
  return { ...entity, entityAttributes }
}

/** Groups have numbers of their own, so that models are otherwise as they were before there were groups. */
const groupSeed = 1_000_003

/** Likewise those of foreign keys over several columns. */
const pairSeed = 2_000_003

/** Groups of own and inherited columns; some of columns that cannot be compared, some of a column that does not exist. */
function withGroups(entities: readonly EntityNode[], random: Random): EntityNode[] {
  const byId = byIdOf(entities)
  return entities.map(entity => {
    const parent = entity.extendsEntity && byId.get(entity.extendsEntity.id)
    const own = columnsOf(entity)
    const all = [...own, ...(parent && random.chance(0.5) ? columnsOf(parent) : [])]
    if (all.length < 2 || random.chance(0.4)) return entity
    const groups = Array.from({ length: random.between(1, 3) }, () => arbitraryGroup(all, random))
    const keys = own.filter(isKey)
    const key = keys.length > 1 && random.chance(0.5) ? [groupOf('key', keys.toReversed(), random)] : []
    const gone = { uid: newUid(), name: 'gone', descending: false }
    const broken = random.chance(0.05) ? groups.map(group => ({ ...group, members: [...group.members, gone] })) : groups
    return { ...entity, groups: [...broken, ...key] }
  })
}

function byIdOf(entities: readonly EntityNode[]): ReadonlyMap<number, EntityNode> {
  return new Map(entities.map(entity => [entity.id, entity]))
}

const checkSeed = 2_000_003

/** Checks of own and inherited columns; some of a column that does not exist. */
function withChecks(entity: EntityNode, byId: ReadonlyMap<number, EntityNode>, random: Random): EntityNode {
  const own = columnsOf(entity)
  const parent = entity.extendsEntity && byId.get(entity.extendsEntity.id)
  const inherited = parent && random.chance(0.3) ? columnsOf(parent) : []
  const columns = [...own, ...inherited]
  if (columns.length === 0 || random.chance(0.5)) return entity
  const uids = new Set(own.map(({ uid }) => uid))
  const names = new Set<string>()
  const checks = Array.from({ length: random.between(1, 3) }, () => {
    const drawn = arbitraryConditionOn(columns, random)
    if (!drawn) return []
    const condition = withAttributes(drawn, one => (uids.has(one.uid) ? one : { ...one, uid: '' }))
    const gone = { kind: 'attribute', uid: newUid(), name: 'gone' } as const
    const name = random.chance(0.4) ? random.pick(checkNames) : ''
    if (name !== '' && names.size === names.add(foldName(name)).size) return []
    const message = random.chance(0.4) ? random.pick(checkMessages) : ''
    return [{ uid: newUid(), name, message, condition: random.chance(0.03) ? call('isNull', gone) : condition }]
  })
  return withSettledChecks({ ...entity, checks: checks.flat() })
}

const checkNames = ['ck_price', "it's", 'Ключ', 'ck `q`', 'x'.repeat(120), 'CK_PRICE']
const checkMessages = ['A price is positive.', "It's */ odd.", 'Ключ', '`', 'two\nlines', '// /* x', ' ', '{0} $1']

function arbitraryGroup(columns: readonly Column[], random: Random): Group {
  const chosen = new Set(Array.from({ length: random.between(2, 4) }, () => random.pick(columns)))
  return groupOf(random.pick(['unique', 'index']), [...chosen], random)
}

function groupOf(kind: GroupKind, columns: readonly Column[], random: Random): Group {
  const members = columns.map(column => ({
    uid: column.uid,
    name: columnName(column),
    descending: kind === 'index' && random.chance(0.3),
  }))
  return { uid: newUid(), kind, name: random.chance(0.3) ? random.pick(groupNames) : '', members }
}

const groupNames = ['ix_group', 'uq of two', "it's", 'Ключ', 'x'.repeat(120), 'IX_GROUP']

function pickedName(target: EntityNode, random: Random): string {
  return target.typeAttributes.length === 0 ? 'gone' : random.pick(target.typeAttributes).name
}

function reference({ id, name, path }: EntityNode): { id: number; name: string; path: string } {
  return { id, name, path }
}

/** Half of the models put some entities into a sub-manifest. Unrelated entities of the same name never share a resolved model. */
function resolvedModelFrom(inside: readonly EntityNode[], all: readonly EntityNode[], random: Random): ResolvedModel {
  const members = withoutRivals(inside)
  const split = random.chance(0.5) ? random.between(0, members.length) : members.length
  const child = manifest(2, 'Child', members.slice(split), [1])
  const root = manifest(1, 'Root', members.slice(0, split), split < members.length ? [2] : [])
  return resolveModel(root, {
    manifests: new Map([child, root].map(node => [node.id, node])),
    entities: new Map(all.map(entity => [entity.id, entity])),
  })
}

/** Of several children with the same name and parent, only the first is a member. */
function withoutRivals(entities: readonly EntityNode[]): EntityNode[] {
  const newest = new Map<string, number>()
  return entities.filter(({ id, name, extendsEntity }) => {
    const before = newest.get(foldName(name))
    if (before !== undefined && before !== extendsEntity?.id) return false
    newest.set(foldName(name), id)
    return true
  })
}

function manifest(id: number, name: string, members: readonly EntityNode[], subManifests: number[]): ManifestNode {
  const entities = members.map(entity => ({ id: entity.id, type: 'EXCLUSIVE' as const }))
  return { ...newManifestContent({ name, entities, subManifests }), id, path: `user-defined/${name}` }
}
