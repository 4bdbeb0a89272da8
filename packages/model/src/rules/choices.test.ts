import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { choice, choices } from './choices.ts'

describe('choices', () => {
  it('Choices cannot contain a duplicate name', holds('E5.37'), () => {
    const others = ['Open', 'Closed']
    expect(choice('Open', { others })).toBe('A choice with the name "Open" already exists.')
    expect(choice(' Open ', { others })).toBe('The choice "Open" must not begin or end with a space.')
    expect(choice('Pending', { others })).toBeUndefined()
    expect(choice('', { others })).toBe('this is a required field')
  })

  it('judges a whole list', () => {
    expect(choices(['Open', 'Closed', 'Open'])).toBe('A choice with the name "Open" already exists.')
    expect(choices(['Open', ' '])).toBe('this is a required field')
    expect(choices(['km', 'KM'])).toBeUndefined()
  })

  it('refuses blanks around a choice instead of taking them off, unless they were there before', () => {
    expect(choices(['Open', ' Closed'])).toBe('The choice "Closed" must not begin or end with a space.')
    expect(choices(['Open', ' Closed'], [' Closed'])).toBeUndefined()
  })
})
