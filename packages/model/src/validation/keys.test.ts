import { describe, expect, it } from 'vitest'
import { aResolvedModel, aKey, anEntity, aTypeAttribute, referenceTo } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { keyTypes, missingKey, secondKey } from './keys.ts'

const keyless = anEntity({ name: 'Note', typeAttributes: [aTypeAttribute()] })

describe('keys', () => {
  it('Errors: primary key of a type other than integer or string', () => {
    const entity = anEntity({ name: 'Event', typeAttributes: [aKey({ name: 'at', dataType: 'dateTime' })] })
    expect(entityFindings(keyTypes, aResolvedModel([entity, anEntity()]))).toEqual([
      [
        'error',
        'keyType',
        'The primary key at of Event is dateTime: it must be an integer or a string.',
        'Shop/Event/at',
      ],
    ])
  })

  it('Warnings: an entity without a primary key; an error for a package with an API', () => {
    const resolvedModel = aResolvedModel([keyless, anEntity()])
    expect(entityFindings(missingKey, resolvedModel)).toEqual([
      ['warning', 'noKey', 'Note has no primary key.', 'Shop/Note'],
    ])
    expect(entityFindings(missingKey, resolvedModel, { forApi: true }).map(([severity]) => severity)).toEqual(['error'])
  })

  it('Warnings: an own primary key in addition to an inherited one', () => {
    const parent = anEntity({ name: 'Contact', typeAttributes: [aKey({ name: 'contactId' })] })
    const child = anEntity({ name: 'Patient', extendsEntity: referenceTo(parent) })
    const hiding = anEntity({
      name: 'Nurse',
      typeAttributes: parent.typeAttributes,
      extendsEntity: referenceTo(parent),
    })
    const message =
      'Patient has two keys: id of its own, and contactId, which it inherits from Contact. Make id an ordinary attribute.'
    expect(entityFindings(secondKey, aResolvedModel([child, hiding], [parent]))).toEqual([
      ['warning', 'twoKeys', message, 'Shop/Patient/id'],
    ])
  })

  it('accepts an inherited primary key', () => {
    const parent = anEntity({ name: 'Parent' })
    const child = anEntity({ name: 'Child', typeAttributes: [], extendsEntity: referenceTo(parent) })
    expect(entityFindings(missingKey, aResolvedModel([child], [parent]))).toEqual([])
  })

  it('requires no key of an entity that a subtype of the same name replaces', () => {
    const derived = anEntity({ name: 'Note', extendsEntity: referenceTo(keyless) })
    expect(entityFindings(missingKey, aResolvedModel([keyless, derived]))).toEqual([])
  })
})
