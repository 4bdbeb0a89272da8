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

  it('rejects a list of choices with an empty or repeated one', () => {
    expect(choices(['Open', 'Closed', 'Open'])).toBe('A choice with the name "Open" already exists.')
    expect(choices(['Open', ' '])).toBe('this is a required field')
    expect(choices(['km', 'KM'])).toBeUndefined()
  })

  it('rejects spaces around a choice, unless the choice existed before', () => {
    expect(choices(['Open', ' Closed'])).toBe('The choice "Closed" must not begin or end with a space.')
    expect(choices(['Open', ' Closed'], [' Closed'])).toBeUndefined()
  })
})
