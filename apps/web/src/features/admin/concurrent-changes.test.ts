import { expect, it } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { afterRefusal } from './ConcurrentChanges.tsx'

it('a failure after a conflict leaves the values that the next save replaces', () => {
  const conflicts = [{ path: '', field: 'name', base: 'Acme', mine: 'Mine', theirs: 'Theirs', who: 'Ada', when: '' }]
  const start = { base: '"a"', theirs: [] }
  const conflicted = afterRefusal(start, new ApiError(409, { conflicts, etag: '"b"' }))
  expect(conflicted).toEqual({ base: '"b"', theirs: ['Name: Theirs (Ada)'] })
  expect(afterRefusal(conflicted, new ApiError(503, {}))).toBe(conflicted)
  expect(afterRefusal(start, new Error('Lost.'))).toBe(start)
})
