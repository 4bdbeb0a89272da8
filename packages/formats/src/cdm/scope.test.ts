import { describe, expect, it } from 'vitest'
import { cdmFolder, document, entityDocument, entityOf, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

// Each document defines a data type `Thing` with another base type, which reveals the definition that was used.

const asBoolean = { dataTypeName: 'Thing', extendsDataType: 'boolean' }
const asInteger = { dataTypeName: 'Thing', extendsDataType: 'integer' }
const asDouble = { dataTypeName: 'Thing', extendsDataType: 'double' }
const user = { entityName: 'User', hasAttributes: [{ name: 'thing', dataType: 'Thing' }] }

describe('FORMAT §3: name resolution in CDM documents', () => {
  it('2. a definition is not visible without an import', () => {
    expect(resolveThing(document([user]), { 'other.cdm.json': document([asInteger]) })).toBe('string')
  })

  it('3. an own definition takes precedence over imports', () => {
    expect(resolveThing(document([asBoolean, user], ['one.cdm.json']), { 'one.cdm.json': document([asInteger]) })).toBe(
      'boolean',
    )
  })

  it('3. of direct imports, the last in the list takes precedence', () => {
    const others = { 'one.cdm.json': document([asInteger]), 'two.cdm.json': document([asDouble]) }
    expect(resolveThing(document([user], ['one.cdm.json', 'two.cdm.json']), others)).toBe('double')
    expect(resolveThing(document([user], ['two.cdm.json', 'one.cdm.json']), others)).toBe('integer')
  })

  it('3. transitive imports rank after direct ones, breadth first', () => {
    const others = {
      'one.cdm.json': document([], ['far.cdm.json']),
      'two.cdm.json': document([], ['three.cdm.json']),
      'three.cdm.json': document([], ['deep.cdm.json']),
      'far.cdm.json': document([asInteger]),
      'deep.cdm.json': document([asDouble]),
    }
    expect(resolveThing(document([user], ['one.cdm.json', 'two.cdm.json']), others)).toBe('integer')
    const direct = { ...others, 'one.cdm.json': document([asBoolean], ['far.cdm.json']) }
    expect(resolveThing(document([user], ['one.cdm.json', 'two.cdm.json']), direct)).toBe('boolean')
  })

  it('4. a moniker refers to its document, is inherited through plain imports, and the nearest one wins', () => {
    const prefixed = { entityName: 'User', hasAttributes: [{ name: 'thing', dataType: 'base/Thing' }] }
    const others = {
      'all.cdm.json': document([], ['base=one.cdm.json']),
      'one.cdm.json': document([asInteger]),
      'two.cdm.json': document([asDouble]),
    }
    expect(resolveThing(document([prefixed], ['all.cdm.json']), others)).toBe('integer')
    expect(resolveThing(document([prefixed], ['all.cdm.json', 'base=two.cdm.json']), others)).toBe('double')
    expect(resolveThing(document([asBoolean, prefixed], ['all.cdm.json']), others)).toBe('integer')
  })

  it('4. without the prefix, a name behind a moniker ranks last and is visible only to the importing document', () => {
    const others = {
      'one.cdm.json': document([asInteger]),
      'two.cdm.json': document([], ['three.cdm.json']),
      'three.cdm.json': document([asDouble]),
      'all.cdm.json': document([], ['base=one.cdm.json']),
    }
    expect(resolveThing(document([user], ['base=one.cdm.json']), others)).toBe('integer')
    expect(resolveThing(document([user], ['two.cdm.json', 'base=one.cdm.json']), others)).toBe('double')
    expect(resolveThing(document([user], ['all.cdm.json']), others)).toBe('string')
  })

  it('6. import cycles are supported', () => {
    const others = {
      'one.cdm.json': document([], ['User.cdm.json', 'two.cdm.json']),
      'two.cdm.json': document([asInteger], ['one.cdm.json']),
    }
    expect(resolveThing(document([user], ['one.cdm.json']), others)).toBe('integer')
  })

  it('1. absolute paths start at the root, relative ones at the folder, and cdm: paths at the folder first', () => {
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

/** Data type of `Thing` as seen by the entity User in the given document. */
function resolveThing(userDocument: Record<string, unknown>, others: Record<string, unknown>): string | undefined {
  const files = cdmFolder({
    'm.manifest.cdm.json': manifest('Model', ['User.cdm.json/User']),
    'User.cdm.json': userDocument,
    ...others,
  })
  return entityOf(readCdm(files), 'User').typeAttributes[0]?.dataType
}
