import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
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
    expect(entityEditsBetween(existing, mergedContent(existing, read))).toEqual([])
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
