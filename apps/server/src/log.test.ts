import { expect, it } from 'vitest'
import { createLog } from './log.ts'

it('logs hidden characters of a name as escapes and keeps each line valid JSON', () => {
  const lines: string[] = []
  const log = createLog('info', { write: line => void lines.push(line) })
  log.warn({ path: 'a\u202Eb.cdm.json', reason: 'one\ntwo' }, 'library: "\u200BOrder"')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/\n$/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    path: 'a‹U+202E›b.cdm.json',
    reason: 'one\ntwo',
    msg: 'library: "‹U+200B›Order"',
  })
})
