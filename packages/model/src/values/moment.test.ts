import { expect, it } from 'vitest'
import { readDate, readLiteral, readMoment, readTime, withoutZeros } from './literal.ts'

it.each([
  ['2026-01-31', '2026-01-31T00:00:00'],
  ['2026-01-31 13:45', '2026-01-31T13:45:00'],
  ['2026-01-31T13:45:00.5Z', '2026-01-31T13:45:00.5'],
  ['2026-01-01T00:30:00.123456+05:30', '2025-12-31T19:00:00.123456'],
  ['2024-02-28T23:30:00.000001-01:00', '2024-02-29T00:30:00.000001'],
  ['2026-01-31T13:45:00.1234560000', '2026-01-31T13:45:00.123456'],
  // Fingerprints of existing tables contain default values as they were written.
  ['2026-01-31T13:45:00.000Z', '2026-01-31T13:45:00.000'],
])('reads %s as %s and keeps all fractional digits', (text, moment) => {
  expect(readMoment(text)).toBe(moment)
})

it('rejects dates, times and timestamps that do not exist', () => {
  expect(['2023-02-29', '0000-01-01', '2026-1-1', '12026-01-01'].map(readDate)).toEqual([null, null, null, null])
  expect(['24:00', '1:00', '12:00:60', '12:00.5', '12:00:00.1234567'].map(readTime)).toEqual(Array(5).fill(null))
  expect(['0001-01-01T00:00+01:00', '9999-12-31T23:59-01:00', '2026-01-01T12', 'now'].map(readMoment)).toEqual(
    Array(4).fill(null),
  )
})

it.each([
  ['instant', '2026-01-31T13:45+01:00', { kind: 'instant', value: '2026-01-31T12:45:00' }],
  ['instant', '2026-01-31T13:45', { fault: 'this must be a moment with its offset, such as 2026-01-31T13:45:00Z.' }],
  ['instant', '2026-01-31', { fault: 'this must be a moment with its offset, such as 2026-01-31T13:45:00Z.' }],
  ['local', '2026-01-31 13:45', { kind: 'timestamp', value: '2026-01-31T13:45:00' }],
  ['local', '2026-01-31', { kind: 'timestamp', value: '2026-01-31T00:00:00' }],
  [
    'local',
    '2026-01-31T13:45Z',
    { fault: 'this must be a date and time without an offset, such as 2026-01-31T13:45:00.' },
  ],
] as const)('as %s, %s is read with its offset or refused', (format, text, literal) => {
  const type = { dataType: 'dateTime', format, maxLength: null, precision: null, scale: null } as const
  expect(readLiteral(text, type)).toEqual(literal)
})

it.each([
  ['timestamp', '2026-01-31T13:45:00.500', '2026-01-31T13:45:00.5'],
  ['instant', '2026-01-31T13:45:00.000', '2026-01-31T13:45:00'],
  ['time', '13:40:00', '13:40:00'],
  ['text', '1.500', '1.500'],
] as const)('a %s %s is %s without zeros at its end', (kind, value, shorter) => {
  expect(withoutZeros({ kind, value })).toEqual({ kind, value: shorter })
})
