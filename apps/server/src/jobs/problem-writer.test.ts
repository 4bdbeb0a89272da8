import type { Problem } from '@cadmus/model/problem'
import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { ModelCache } from './model-cache.ts'
import { CachedModel } from './model-at.ts'
import { problemItem, ProblemWriter } from './problem-writer.ts'

const place = { organisationId: 1, manifestId: 1 }

it('the answer is the same however much of it was cached, compressed or not', () => {
  const answers = new ProblemWriter()
  const [some, others] = [problems(500), problems(90)]
  const states = [some, some, [...others, ...some], some.slice(40, 300), [], [...some.toReversed(), ...others], some]
  for (const state of states) {
    const expected = { result: 'OK', message: '', problems: state.map(problemItem) }
    expect(JSON.parse(gunzipSync(answers.write(state, 'gzip')).toString())).toEqual(expected)
    expect(JSON.parse(Buffer.from(answers.write(state, 'identity')).toString())).toEqual(expected)
  }
})

it("cached answers count towards the size limit of their manifest's model", async () => {
  const memory = new ModelCache(() => new CachedModel(), { size: 100_000, idle: 60_000, heapShare: 1 })
  const write = async (count: number) =>
    memory.with(place, async ({ answers }) => answers.write(problems(count), 'gzip').length)
  // Random texts compress badly.
  const sent = await write(300)
  expect(memory.size).toBeGreaterThan(sent * 0.9)
  expect(memory.size).toBeLessThan(sent)
  expect(await write(3000)).toBeGreaterThan(100_000)
  expect(memory.size).toBe(0)
})

it('problems missing from the last answer are not cached', () => {
  const answers = new ProblemWriter()
  const all = problems(640)
  answers.write(all, 'gzip')
  const whole = answers.size
  answers.write(all.slice(0, 320), 'gzip')
  expect(answers.size).toBeLessThan(whole * 0.6)
  answers.write([], 'gzip')
  expect(answers.size).toBe(0)
})

function problems(count: number): Problem[] {
  return Array.from({ length: count }, (_, id) => {
    const uid = randomBytes(16).toString('hex')
    const message = `Something is to be said: ${randomBytes(60).toString('base64')}.`
    return { severity: 'warning', code: 'test', message, path: [{ kind: 'entity', id, uid, name: 'A', path: 'a/A' }] }
  })
}
