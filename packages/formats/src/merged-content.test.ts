import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { scriptDatabases } from '@cadmus/sql/databases'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { databaseScript } from '@cadmus/sql/script'
import { expect, it } from 'vitest'
import { readSqlScripts } from './ddl/read.ts'
import { importedContent } from './imported-model.ts'
import { mergedContent, replacedContent } from './merged-content.ts'

const reference = (path: string): EntityReference => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { id: [...name].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) % 100_000, name, path }
}

function contentsOf(script: string, existing?: ReadonlyMap<string, EntityContent>): Map<string, EntityContent> {
  const { entities } = readSqlScripts(new Map([['a.sql', script]]))
  return new Map(
    entities.map(entity => {
      const previous = existing?.get(entity.name)
      const uid = previous?.uid ?? `uid of ${entity.name}`
      return [entity.name, importedContent(entity, { uid, type: 'EXCLUSIVE', referenceOf: reference, previous })]
    }),
  )
}

const one = (script: string, existing?: EntityContent) => {
  const [content] = contentsOf(script, existing && new Map([[existing.name, existing]])).values()
  if (!content) throw new Error('The script has no table.')
  return content
}

it.each(Object.keys(hardModels))('the same script again changes nothing: %s', name => {
  const model = hardModels[name]?.()
  const { sql } = databaseScript(model ?? fail(), 'postgresql', { applyAutoIncrement: true })
  const first = contentsOf(sql)
  const second = contentsOf(sql, first)
  for (const [entity, existing] of first) {
    const read = second.get(entity) ?? existing
    expect(entityEditsBetween(existing, mergedContent(existing, read, { database: 'postgresql' }))).toEqual([])
    expect(entityEditsBetween(existing, replacedContent(existing, read))).toEqual([])
  }
})

function fail(): never {
  throw new Error('There is no such model.')
}

const table = 'CREATE TABLE pet (id int PRIMARY KEY, name varchar(20), born date, UNIQUE (name, born));'

it('merging keeps what only the entity has, and takes what the file says', () => {
  const read = one(table)
  const existing: EntityContent = {
    ...read,
    description: 'A pet.',
    typeAttributes: [
      ...read.typeAttributes.map(item => (item.name === 'name' ? { ...item, description: 'Its name.' } : item)),
      newTypeAttribute({ name: 'mood', position: 3 }),
    ],
  }
  const next = one('CREATE TABLE pet (ID int PRIMARY KEY, size int, Name varchar(30) NOT NULL, born date);', existing)
  const merged = mergedContent(existing, next)
  expect(merged.typeAttributes.map(({ name, position }) => [name, position])).toEqual([
    ['id', 0],
    ['name', 1],
    ['born', 2],
    ['mood', 3],
    ['size', 4],
  ])
  expect(merged).toMatchObject({ description: 'A pet.', groups: existing.groups })
  expect(merged.typeAttributes[1]).toMatchObject({ description: 'Its name.', maxLength: 30, nullable: false })
  const replaced = replacedContent(existing, next)
  expect(replaced.typeAttributes.map(({ name }) => name)).toEqual(['ID', 'size', 'Name', 'born'])
  expect(replaced).toMatchObject({ uid: existing.uid, description: '', groups: [] })
})

it('an attribute that is a foreign key in the file becomes a relationship with its identity, and back', () => {
  const plain = one('CREATE TABLE pet (id int PRIMARY KEY, owner_id int);')
  const related =
    'CREATE TABLE pet (id int PRIMARY KEY, owner_id int REFERENCES owner);CREATE TABLE owner (id int PRIMARY KEY);'
  const merged = mergedContent(plain, one(related, plain))
  expect(merged.typeAttributes.map(({ name }) => name)).toEqual(['id'])
  expect(merged.entityAttributes).toMatchObject([
    { uid: plain.typeAttributes[1]?.uid, foreignKeyTypeAttribute: 'owner_id', position: 1 },
  ])
  const back = mergedContent(merged, one('CREATE TABLE pet (id int PRIMARY KEY, owner_id int);', merged))
  expect([back.typeAttributes.map(({ name }) => name), back.entityAttributes]).toEqual([['id', 'owner_id'], []])
})

const { typeAttributes: plainAttributes } = one(
  'CREATE TABLE pet (id int PRIMARY KEY, at timestamp, n bigint, name text);',
)

/** The entity of the script with other fields of attributes. */
function withFields(entity: EntityContent, fields: Record<string, Partial<TypeAttribute>>): EntityContent {
  return { ...entity, typeAttributes: entity.typeAttributes.map(item => ({ ...item, ...fields[item.name] })) }
}

it.each(scriptDatabases)('merging keeps formats that scripts cannot say: %s', type => {
  const own = anEntity({
    name: 'Pet',
    typeAttributes: aList(
      aKey({ name: 'id', format: 'int64' }),
      aTypeAttribute({ name: 'at', dataType: 'dateTime', format: 'local' }),
      aTypeAttribute({ name: 'n', dataType: 'integer', format: 'int64' }),
      aTypeAttribute({ name: 'code', unique: true }),
    ),
  })
  const { sql } = databaseScript(aResolvedModel([own]), type, { applyAutoIncrement: true })
  const read = contentsOf(sql, new Map([['Pet', own]])).get('Pet') ?? own
  expect(entityEditsBetween(own, mergedContent(own, read, { database: type }))).toEqual([])
})

it('merging takes a type that the script says otherwise', () => {
  expect(plainAttributes.map(({ format }) => format)).toEqual(['int32', 'local', null, null])
  const script = 'CREATE TABLE pet (id bigint PRIMARY KEY, at timestamptz, n numeric(9,2), name varchar(40));'
  const existing = withFields(one('CREATE TABLE pet (id int PRIMARY KEY, at timestamp, n bigint, name text);'), {
    n: { format: 'int64' },
  })
  const merged = mergedContent(existing, one(script, existing), { database: 'postgresql' })
  expect(merged.typeAttributes.map(({ dataType, format, maxLength }) => [dataType, format, maxLength])).toEqual([
    ['integer', null, null],
    ['dateTime', 'instant', null],
    ['double', null, null],
    ['string', null, 40],
  ])
})

it('merging takes all that a foreign key of a script states, also what is the default', () => {
  const scriptOf = (rest: string) =>
    `CREATE TABLE pet (id int PRIMARY KEY, a int REFERENCES owner ${rest});CREATE TABLE owner (id int PRIMARY KEY);`
  const existing = one(scriptOf('ON DELETE CASCADE ON UPDATE CASCADE'))
  expect(existing.entityAttributes).toMatchObject([{ onDelete: 'cascade', onUpdate: 'cascade' }])
  const read = one(scriptOf(''), existing)
  expect(mergedContent(existing, read, { database: 'postgresql' }).entityAttributes).toMatchObject([
    { onDelete: 'restrict', onUpdate: 'restrict', alsoBy: [] },
  ])
  expect(mergedContent(existing, read, { isWhole: true }).entityAttributes).toMatchObject([{ onUpdate: 'restrict' }])
  // A file that need not state them, such as a CDM folder of another tool.
  expect(mergedContent(existing, read).entityAttributes).toMatchObject([{ onDelete: 'cascade', onUpdate: 'cascade' }])
})
