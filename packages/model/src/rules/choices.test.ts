import { describe, expect, it } from 'vitest'
import { choice, choices } from './choices.ts'

describe('choices', () => {
  it('E5.37 Choices cannot contain a duplicate name', () => {
    const others = ['Open', 'Closed']
    expect(choice('Open', { others })).toBe('A choice with the name "Open" already exists.')
    expect(choice(' Open ', { others })).toBe('A choice with the name "Open" already exists.')
    expect(choice('Pending', { others })).toBeUndefined()
    expect(choice('', { others })).toBe('this is a required field')
  })

  it('judges a whole list', () => {
    expect(choices(['Open', 'Closed', 'Open'])).toBe('A choice with the name "Open" already exists.')
    expect(choices(['Open', ' '])).toBe('this is a required field')
    expect(choices(['km', 'KM'])).toBeUndefined()
  })
})
