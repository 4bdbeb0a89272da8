import { describe, expect, it } from 'vitest'
import { cdmFolder, document, entityDocument, entityOf, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

// Which of several definitions a name means is told here by the base of a data type that each document defines differently.

const asBoolean = { dataTypeName: 'Thing', extendsDataType: 'boolean' }
const asInteger = { dataTypeName: 'Thing', extendsDataType: 'integer' }
const asDouble = { dataTypeName: 'Thing', extendsDataType: 'double' }
const user = { entityName: 'User', hasAttributes: [{ name: 'thing', dataType: 'Thing' }] }

describe('FORMAT §3: finding what a name means', () => {
  it('2. nothing is visible without an import', () => {
    expect(meaning(document([user]), { 'other.cdm.json': document([asInteger]) })).toBe('string')
  })

  it('3. the own definition wins over imports', () => {
    expect(meaning(document([asBoolean, user], ['one.cdm.json']), { 'one.cdm.json': document([asInteger]) })).toBe(
      'boolean',
    )
  })

  it('3. among direct imports the last in the list wins', () => {
    const others = { 'one.cdm.json': document([asInteger]), 'two.cdm.json': document([asDouble]) }
    expect(meaning(document([user], ['one.cdm.json', 'two.cdm.json']), others)).toBe('double')
    expect(meaning(document([user], ['two.cdm.json', 'one.cdm.json']), others)).toBe('integer')
  })

  it('3. imports of imports come after the direct ones, breadth first', () => {
    const others = {
      'one.cdm.json': document([], ['far.cdm.json']),
      'two.cdm.json': document([], ['three.cdm.json']),
      'three.cdm.json': document([], ['deep.cdm.json']),
      'far.cdm.json': document([asInteger]),
      'deep.cdm.json': document([asDouble]),
    }
    expect(meaning(document([user], ['one.cdm.json', 'two.cdm.json']), others)).toBe('integer')
    const direct = { ...others, 'one.cdm.json': document([asBoolean], ['far.cdm.json']) }
    expect(meaning(document([user], ['one.cdm.json', 'two.cdm.json']), direct)).toBe('boolean')
  })

  it('4. a moniker means the document behind it, is passed on through plain imports, and its nearest use wins', () => {
    const prefixed = { entityName: 'User', hasAttributes: [{ name: 'thing', dataType: 'base/Thing' }] }
    const others = {
      'all.cdm.json': document([], ['base=one.cdm.json']),
      'one.cdm.json': document([asInteger]),
      'two.cdm.json': document([asDouble]),
    }
    expect(meaning(document([prefixed], ['all.cdm.json']), others)).toBe('integer')
    expect(meaning(document([prefixed], ['all.cdm.json', 'base=two.cdm.json']), others)).toBe('double')
    expect(meaning(document([asBoolean, prefixed], ['all.cdm.json']), others)).toBe('integer')
  })

  it('4. without its prefix, a name behind a moniker counts last, and only for the document that imports it', () => {
    const others = {
      'one.cdm.json': document([asInteger]),
      'two.cdm.json': document([], ['three.cdm.json']),
      'three.cdm.json': document([asDouble]),
      'all.cdm.json': document([], ['base=one.cdm.json']),
    }
    expect(meaning(document([user], ['base=one.cdm.json']), others)).toBe('integer')
    expect(meaning(document([user], ['two.cdm.json', 'base=one.cdm.json']), others)).toBe('double')
    expect(meaning(document([user], ['all.cdm.json']), others)).toBe('string')
  })

  it('6. import cycles are ordinary', () => {
    const others = {
      'one.cdm.json': document([], ['User.cdm.json', 'two.cdm.json']),
      'two.cdm.json': document([asInteger], ['one.cdm.json']),
    }
    expect(meaning(document([user], ['one.cdm.json']), others)).toBe('integer')
  })

  it('1. looks an absolute path up from the root, a relative one from the folder, and cdm: in the folder first', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['sub/Aa.cdm.json/Aa', 'sub/Bb.cdm.json/Bb', 'sub/Cc.cdm.json/Cc']),
        'sub/Aa.cdm.json': entityDocument('Aa', [{ name: 'thing', dataType: 'Thing' }], {}, ['/types.cdm.json']),
        'sub/Bb.cdm.json': entityDocument('Bb', [{ name: 'thing', dataType: 'Thing' }], {}, ['types.cdm.json']),
        'sub/Cc.cdm.json': entityDocument('Cc', [{ name: 'thing', dataType: 'Thing' }, key('ccId')], {}, [
          'cdm:/sub/types.cdm.json',
        ]),
        'types.cdm.json': document([asBoolean]),
        'sub/types.cdm.json': document([asInteger]),
      }),
    )
    expect(['Aa', 'Bb', 'Cc'].map(name => entityOf(model, name).typeAttributes[0]?.dataType)).toEqual([
      'boolean',
      'integer',
      'integer',
    ])
    expect(model.report).toEqual([])
  })
})

/** The data type that `Thing` is for the entity User in the given document. */
function meaning(userDocument: Record<string, unknown>, others: Record<string, unknown>): string | undefined {
  const files = cdmFolder({
    'm.manifest.cdm.json': manifest('Model', ['User.cdm.json/User']),
    'User.cdm.json': userDocument,
    ...others,
  })
  return entityOf(readCdm(files), 'User').typeAttributes[0]?.dataType
}
