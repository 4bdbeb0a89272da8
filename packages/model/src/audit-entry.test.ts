import { expect, it } from 'vitest'
import { auditTimestamp } from './audit-entry.ts'

it('the timestamp is yyyy-MM-dd HH:mm:ss, in local time', () => {
  const local = new Date(2026, 0, 5, 7, 8, 9)
  expect(auditTimestamp(local.toISOString())).toBe('2026-01-05 07:08:09')
})
