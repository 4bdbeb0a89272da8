import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONGEST, longestFirst } from './longest-first.ts'
import { ROOT } from './processes.ts'

describe('The order of test files', () => {
  it('starts with the slowest files and keeps the order of the others', () => {
    const [first = '', second = ''] = LONGEST
    const files = ['b.test.ts', second, 'a.test.ts', first].map(path => ({ moduleId: join(ROOT, path) }))
    const sorted = [first, second, 'b.test.ts', 'a.test.ts'].map(path => join(ROOT, path))
    expect(longestFirst(files).map(({ moduleId }) => moduleId)).toEqual(sorted)
  })

  it('lists only existing files', () => {
    expect(LONGEST.filter(path => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
