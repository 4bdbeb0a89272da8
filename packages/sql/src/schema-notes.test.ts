import { databaseTypes } from '@cadmus/model/database-types'
import { problemSummaries } from '@cadmus/model/messages/validation'
import {
  aResolvedModel,
  aKey,
  aList,
  anEntity,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '@cadmus/model/testing/builders'
import { validate } from '@cadmus/model/validate'
import { describe, expect, it } from 'vitest'
import { namingRules } from './databases.ts'
import { noteTexts } from './notes.ts'
import { schemaNotes } from './testing/schema-notes.ts'
import { databaseScript } from './script.ts'
import { edgeModels } from './testing/edge-models.ts'
import { hardModels } from './testing/hard-models.ts'

const options = { applyAutoIncrement: true }

describe('Decisions §10: notes on differences of an export from the model', () => {
  const long = aTypeAttribute({ name: 'code', maxLength: 2000, unique: true })
  const entity = anEntity({ name: 'Product', typeAttributes: aList(aKey(), long) })

  it('have a path by uid, a message and their databases', () => {
    const resolvedModel = aResolvedModel([entity])
    const notes = schemaNotes(resolvedModel, databaseTypes, options)
    const path = [
      { kind: 'manifest', id: resolvedModel.root.id, uid: resolvedModel.root.uid, name: 'Shop' },
      { kind: 'entity', id: entity.id, uid: entity.uid, name: 'Product', path: entity.path },
      { kind: 'typeAttribute', uid: long.uid, name: 'code' },
    ]
    const message = (max: number) => `'code' is part of a key: it takes at most ${max} characters on this database.`
    const note = { severity: 'warning', code: 'keyShortened', path }
    expect(notes.filter(({ code }) => code === 'keyShortened')).toEqual([
      { ...note, message: message(670), databases: ['postgresql'] },
      { ...note, message: message(768), databases: ['mysql'] },
      { ...note, message: message(1500), databases: ['oracle'] },
      { ...note, message: message(450), databases: ['mssql'] },
    ])
    expect(schemaNotes(resolvedModel, ['hsql'], options).map(({ code }) => code)).toEqual(['unitsCounted'])
  })

  it('include each column that a database counts, compares or checks differently', () => {
    const attributes = [
      aTypeAttribute({ name: 'title', maxLength: 20 }),
      aTypeAttribute({ name: 'long', maxLength: 20_000 }),
      aTypeAttribute({ name: 'kind', choices: ['a', 'b'] }),
      aTypeAttribute({ name: 'slug', unique: true }),
      aTypeAttribute({ name: 'guid', format: 'guid', unique: true }),
      aTypeAttribute({ name: 'prose' }),
      aTypeAttribute({ name: 'data', dataType: 'object' }),
    ]
    const resolvedModel = aResolvedModel([anEntity({ typeAttributes: aList(aKey(), ...attributes) })])
    const notes = schemaNotes(resolvedModel, databaseTypes, options)
    const codes = notes.map(({ code, path, databases }) => [code, path.at(-1), databases])
    const step = (index: number) => ({
      kind: 'typeAttribute',
      uid: attributes[index]?.uid,
      name: attributes[index]?.name,
    })
    expect(codes).toEqual(
      expect.arrayContaining([
        ['unitsCounted', step(0), ['hsql', 'mssql']],
        ['unitsCounted', step(1), ['hsql', 'mssql']],
        ['unitsCounted', step(3), ['hsql', 'mssql']],
        ['trailingBlanks', step(3), ['mssql']],
        ['jsonUnchecked', step(6), ['hsql']],
        ['guidLetters', step(4), ['oracle']],
      ]),
    )
    const others = new Set(['lengthAsCheck', 'lengthGiven', 'notStrict'])
    expect(codes.filter(([code]) => !others.has(String(code)))).toHaveLength(6)
  })

  it('include the default length of a key, unique or indexed text, once each', () => {
    const attributes = [
      aKey({ name: 'code', dataType: 'string' }),
      aTypeAttribute({ name: 'slug', unique: true }),
      aTypeAttribute({ name: 'title', indexed: true }),
      aTypeAttribute({ name: 'email', unique: true, maxLength: 255 }),
      aTypeAttribute({ name: 'kind', choices: ['a'], indexed: true }),
      aTypeAttribute({ name: 'guid', format: 'guid', unique: true }),
      aTypeAttribute({ name: 'prose' }),
      aTypeAttribute({ name: 'number', dataType: 'integer', unique: true }),
    ]
    const target = anEntity({ name: 'Target', typeAttributes: aList(...attributes) })
    const outside = anEntity({ name: 'Outside', typeAttributes: aList(aKey({ name: 'key', dataType: 'string' })) })
    const to = (one: typeof target, attribute: string, name: string) =>
      aRelationship(one, {
        associatedEntityTypeAttribute: attribute,
        foreignKeyTypeAttribute: name,
        foreignKeyDataType: 'string',
      })
    const links = [to(target, 'slug', 'slug'), to(outside, 'key', 'outsideKey'), to(target, 'gone', 'goneKey')]
    const linked = anEntity({ name: 'Linked', entityAttributes: links })
    const notes = schemaNotes(aResolvedModel([target, linked], [outside]), databaseTypes, options)
    const lengthNotes = notes.filter(({ code }) => code === 'lengthGiven')
    expect(lengthNotes.map(({ path }) => path.at(-1)?.name)).toEqual(['code', 'slug', 'title', 'outsideKey', 'goneKey'])
    expect(lengthNotes[0]).toMatchObject({
      severity: 'note',
      message:
        "'code' has no max length: as it is a key, unique, indexed or referred to, it takes at most 255 characters.",
    })
    expect(lengthNotes[0]).not.toHaveProperty('databases')
    const { sql } = databaseScript(aResolvedModel([target]), 'hsql', options)
    expect(sql).toContain("-- Target.slug: 'slug' has no max length: as it is a key,")
  })

  it('include everything that is left out', () => {
    const attributes = [
      aTypeAttribute({ name: 'code', format: 'guid', maxLength: 10 }),
      aTypeAttribute({ name: 'whole', format: 'guid', maxLength: 36 }),
      aTypeAttribute({ name: 'day', dataType: 'dateTime', format: 'date', choices: ['2026-01-31', '1582-10-10'] }),
      aTypeAttribute({ name: 'data', dataType: 'object', choices: ['{}'] }),
    ]
    const words = Array.from({ length: 80 }, (_, index) =>
      aTypeAttribute({ name: `word${index}`, description: 'x'.repeat(900) }),
    )
    const resolvedModel = aResolvedModel([anEntity({ typeAttributes: aList(aKey(), ...attributes, ...words) })])
    const notes = schemaNotes(resolvedModel, databaseTypes, options)
    const codes = (code: string) =>
      notes.filter(note => note.code === code).map(({ path, databases }) => [path.at(-1)?.name, databases])
    expect(codes('guidLength')).toEqual([['code', undefined]])
    expect(codes('choicesUnheld')).toEqual([['day', ['hsql']]])
    expect(codes('choicesUncompared')).toEqual([['data', undefined]])
    expect(codes('choicesType')).toEqual([])
    expect(codes('commentShortened')).toEqual([])
    expect(codes('commentLeftOut').length).toBeGreaterThan(5)
    const [, first = ''] = databaseScript(resolvedModel, 'mysql', options).sql.split(': The description of ')
    expect(first).toMatch(/^'word\d+' is left out: the table's definition is too large/)
  })

  it('include lost digits of numbers, and once per schema the effects of a lenient server', () => {
    const attributes = [
      aTypeAttribute({ name: 'exact', dataType: 'double', format: 'decimal' }),
      aTypeAttribute({ name: 'short', dataType: 'integer', format: 'int16' }),
      aTypeAttribute({ name: 'title', maxLength: 20 }),
    ]
    const resolvedModel = aResolvedModel([anEntity({ typeAttributes: aList(aKey(), ...attributes) })])
    const notes = schemaNotes(resolvedModel, databaseTypes, options)
    const rounded = notes.filter(({ code }) => code === 'numberRounded')
    expect(rounded.map(({ message, databases }) => [message, databases])).toEqual([
      ["'exact' is rounded to 27 decimal places on this database.", ['mysql']],
      ["'exact' is rounded to 50 decimal places on this database.", ['hsql']],
    ])
    const { id, uid, name } = resolvedModel.root
    expect(notes.filter(({ code }) => code === 'notStrict')).toEqual([
      {
        severity: 'note',
        code: 'notStrict',
        message: `A server that is not in strict mode changes values of '${name}' that are too long or too large, instead of refusing them.`,
        path: [{ kind: 'manifest', id, uid, name }],
        databases: ['mysql'],
      },
    ])
    const plain = aResolvedModel([anEntity({ typeAttributes: aList(aKey(), aTypeAttribute({ name: 'text' })) })])
    expect(schemaNotes(plain, databaseTypes, options)).toEqual([])
  })

  it('merge equal notes of several databases and omit known problems', () => {
    const double = aTypeAttribute({ name: 'ratio', dataType: 'double', format: 'decimal', defaultValue: `1e${40}` })
    const wrong = aTypeAttribute({ name: 'day', dataType: 'dateTime', defaultValue: 'yesterday' })
    const keyless = anEntity({ name: 'Base', typeAttributes: aList(double, wrong) })
    const child = anEntity({ name: 'Child', typeAttributes: [], extendsEntity: referenceTo(keyless) })
    const resolvedModel = aResolvedModel([keyless, child])
    const notes = schemaNotes(
      resolvedModel,
      databaseTypes,
      options,
      validate(resolvedModel, { databases: namingRules(databaseTypes) }),
    )
    expect(notes.filter(({ code }) => code === 'noKey')).toEqual([])
    expect(notes.filter(({ path }) => path.at(-1)?.name === 'day')).toEqual([])
    expect(notes.filter(({ code }) => code === 'defaultType').map(({ databases }) => databases)).toEqual([
      ['mysql', 'mssql'],
      ['mysql', 'mssql'],
    ])
  })

  it('are empty if two unrelated entities have the same name', () => {
    expect(schemaNotes(aResolvedModel([entity, anEntity({ name: 'product' })]), databaseTypes, options)).toEqual([])
  })

  it.each(databaseTypes)('are at the end of the script, one comment line each: %s', type => {
    for (const make of Object.values({ ...hardModels, ...edgeModels })) {
      const { sql, notes } = databaseScript(make(), type, options)
      const lines = sql.split('\n').slice(0, -1)
      const comments = notes.length === 0 ? [] : lines.slice(-notes.length - 1)
      expect(comments.every(line => line.startsWith('-- ') && !/[;&$"]|-$/.test(line))).toBe(true)
      expect(lines.filter(line => line.startsWith('-- '))).toHaveLength(comments.length + 1)
    }
  })

  it('include every foreign key that was dropped', () => {
    const links = Array.from({ length: 70 }, (_, index) =>
      aRelationship(entity, { foreignKeyTypeAttribute: `link${index}`, position: index + 1 }),
    )
    const linked = anEntity({ name: 'Linked', entityAttributes: links })
    const { sql, notes } = databaseScript(aResolvedModel([entity, linked]), 'mysql', options)
    const written = sql.match(/FOREIGN KEY/g)?.length ?? 0
    expect(written).toBeLessThan(70)
    expect(notes.filter(({ code }) => code === 'tooManyKeys')).toHaveLength(70 - written)
    expect(sql).toContain("-- Linked.link69: 'link69' gets no index and no constraint")
  })

  it('have a summary for every code', () => {
    expect(Object.keys(noteTexts).filter(code => problemSummaries[code] === undefined)).toEqual([])
  })
})
