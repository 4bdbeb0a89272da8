import { expect, it } from 'vitest'
import { isUid, newUid } from './uid.ts'

it('a uid is a UUID of version 7 that begins with its time', () => {
  const uid = newUid(Date.UTC(2026, 0, 1))
  expect(uid).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(Number.parseInt(uid.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 0, 1))
  expect(newUid(1000) < newUid(2000)).toBe(true)
})

it('uids are unique', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newUid())).size).toBe(10_000)
})

it('recognises a uid by its form', () => {
  expect(isUid(newUid())).toBe(true)
  expect(['', 'x', newUid().toUpperCase(), `${newUid()} `, newUid().replaceAll('-', '')].map(isUid)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})
