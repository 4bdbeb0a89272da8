import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'

/**
 * Names that are SQL keywords, contain quotes, emoji, SQL or control characters, or exceed the limits of all databases.
 */
export function names(): ResolvedModel {
  const long = 'a name that goes on and on '.repeat(371).trim()
  const select = anEntity({
    name: 'select',
    typeAttributes: aList(aKey({ name: 'from' }), attribute('where'), attribute('rowid'), attribute('ROWID2')),
  })
  const hostile = anEntity({
    name: `Robert"); DROP TABLE "select"; --`,
    description: `'; DROP TABLE "select"; -- */ \u0000 \u202e 😀`,
    typeAttributes: aList(
      aKey({ name: 'ключ' }),
      attribute('a`b'),
      attribute('a]b'),
      attribute('a"b'),
      attribute("a'b"),
      attribute('a\\b'),
      attribute('a\nGO\nb'),
      attribute('$(path) & more'),
      attribute('😀'),
      attribute('👍🏽'),
      attribute('naïve'),
      attribute('naive'),
      attribute('xmin'),
      attribute('ROWID'),
      attribute('db_row_id'),
      attribute('\u0007'),
      attribute(`${long} one`, { unique: true }),
      attribute(`${long} two`, { indexed: true, description: long }),
      attribute('choice', { choices: ["'; DROP TABLE x; --", '😀', '\\'] }),
    ),
    entityAttributes: [
      aRelationship(select, { associatedEntityTypeAttribute: 'from', foreignKeyTypeAttribute: `${long} three` }),
    ],
  })
  const temporary = anEntity({ name: '#temporary' })
  const system = anEntity({
    name: 'pg_class',
    entityAttributes: [aRelationship(temporary, { foreignKeyTypeAttribute: 'temporaryId' })],
  })
  const twin = anEntity({ name: `${long} A` })
  const otherTwin = anEntity({
    name: `${long} B`,
    entityAttributes: [aRelationship(twin, { foreignKeyTypeAttribute: 'twinId' })],
  })
  return aResolvedModel([
    select,
    hostile,
    temporary,
    system,
    twin,
    otherTwin,
    anEntity({ name: '表'.repeat(60) }),
    anEntity({ name: '-- x' }),
  ])
}

export function attribute(name: string, properties: Partial<TypeAttribute> = {}): TypeAttribute {
  return aTypeAttribute({ name, ...properties })
}
