import { describe, expect, it } from 'vitest'
import { entityName } from './entity-name.ts'
import { takenNames } from './taken-names.ts'

describe('entity name', () => {
  it('E5.5 The name pattern holds for entity names', () => {
    expect(entityName('a__b')).toContain('no consecutive underscores')
  })

  it('E5.7 M5.2 Entity name: required', () => {
    expect(entityName('')).toBe('this is a required field')
  })

  it('E5.8 Entity name: at least 2 characters', () => {
    expect(entityName('a')).toBe('this must be 2 to 120 characters long.')
    expect(entityName('ab')).toBeUndefined()
  })

  it('E5.9 M5.5 Entity name: at most 120 characters', () => {
    expect(entityName('a'.repeat(120))).toBeUndefined()
    expect(entityName('a'.repeat(121))).toBe('this must be 2 to 120 characters long.')
    expect(entityName('a'.repeat(10_000))).toBe('this must be 2 to 120 characters long.')
  })

  it('E5.10 E5.12 Entity name: unique within its manifest, compared case-insensitively', () => {
    const taken = takenNames(['Customer'])
    expect(entityName('Customer', { taken })).toBe('An entity with the name "Customer" already exists.')
    expect(entityName('cUSTOMER', { taken })).toBe('An entity with the name "cUSTOMER" already exists.')
    expect(entityName('Client', { taken })).toBeUndefined()
  })

  it('E5.13 If the name lookup fails, the name is accepted', () => {
    expect(entityName('Customer', { taken: undefined })).toBeUndefined()
  })
})
