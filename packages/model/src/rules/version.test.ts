import { describe, expect, it } from 'vitest'
import { newVersion } from './version.ts'

const existing = ['1.0.9', '1.0.10', '1.0.0']

describe('a new version', () => {
  it('a new version must be a valid semantic version', () => {
    const wrong = ['', '1.x', '1.0', 'v1.0.0', '01.0.0', '1.0.0-', `1.0.${'1'.repeat(200)}`]
    expect(wrong.filter(text => newVersion(text, { existing }) !== 'Invalid version pattern.')).toEqual([])
  })

  it('a new version must not exist yet', () => {
    expect(newVersion('1.0.9', { existing })).toBe('Version 1.0.9 already exists.')
    expect(newVersion('1.0.9+build', { existing })).toBe('Version 1.0.9+build already exists.')
  })

  it('a new version must be higher than the latest', () => {
    expect(newVersion('1.0.1', { existing })).toBe('Version 1.0.1 must be higher than 1.0.10.')
    expect(newVersion('1.0.11', { existing })).toBeUndefined()
    expect(newVersion('1.0.10', { existing: ['1.0.9'] })).toBeUndefined()
    expect(newVersion('10.0.0', { existing: ['9.0.0'] })).toBeUndefined()
    expect(newVersion('0.0.1', { existing: [] })).toBeUndefined()
  })
})
