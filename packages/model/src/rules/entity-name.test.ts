import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { entityName } from './entity-name.ts'
import { takenNames } from './taken-names.ts'

describe('entity name', () => {
  it('The name pattern holds for entity names', holds('E5.5'), () => {
    expect(entityName('a__b')).toBe(
      'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.',
    )
  })

  it('Entity name: required', holds('E5.7', 'M5.2'), () => {
    expect(entityName('')).toBe('this is a required field')
  })

  it('Entity name: at least 2 characters', holds('E5.8'), () => {
    expect(entityName('a')).toBe('this must be 2 to 120 characters long.')
    expect(entityName('ab')).toBeUndefined()
  })

  it('Entity name: at most 120 characters', holds('E5.9', 'M5.5'), () => {
    expect(entityName('a'.repeat(120))).toBeUndefined()
    expect(entityName('a'.repeat(121))).toBe('this must be 2 to 120 characters long.')
    expect(entityName('a'.repeat(10_000))).toBe('this must be 2 to 120 characters long.')
  })

  it('Entity name: unique within its manifest, compared case-insensitively', holds('E5.10', 'E5.12'), () => {
    const taken = takenNames(['Customer'])
    expect(entityName('Customer', { taken })).toBe('An entity with the name "Customer" already exists.')
    expect(entityName('cUSTOMER', { taken })).toBe('An entity with the name "cUSTOMER" already exists.')
    expect(entityName('Client', { taken })).toBeUndefined()
  })

  it('If the name lookup fails, the name is accepted', holds('E5.13'), () => {
    expect(entityName('Customer', { taken: undefined })).toBeUndefined()
  })
})
