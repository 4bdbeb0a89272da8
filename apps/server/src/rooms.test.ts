import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'

const restrictions = z.tuple([
  z.literal('error'),
  z.object({ patterns: z.array(z.object({ regex: z.string(), message: z.string() })) }),
])
const settings = z.object({
  overrides: z.array(z.object({ files: z.array(z.string()), rules: z.record(z.string(), z.unknown()).optional() })),
})

/** What the lint rule says about an import in that room of the server; undefined where it may be. */
function refusal(room: string, target: string): string | undefined {
  const { overrides } = settings.parse(
    JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../.oxlintrc.json'), 'utf8')),
  )
  const found = overrides.find(({ files }) => files.some(glob => roomsOf(glob).includes(room)))
  const [, { patterns }] = restrictions.parse(found?.rules?.['no-restricted-imports'])
  return patterns.find(({ regex }) => new RegExp(regex).test(target))?.message
}

/** `apps/server/src/{a,b}/**` is about the rooms a and b. */
function roomsOf(glob: string): string[] {
  const part = /^apps\/server\/src\/(?:\{([a-z,]+)\}|([a-z]+))\/\*\*/.exec(glob)
  return (part?.[1] ?? part?.[2] ?? '').split(',')
}

it.each([
  ['store', '../jobs/workers.ts', 'handed in'],
  ['store', '../commands/change.ts', 'below every other room'],
  ['store', '../../context.ts', 'below every other room'],
  ['commands', '../../http/json.ts', 'handed in by the route'],
  ['commands', '../../jobs/workers.ts', 'handed in by the route'],
  ['commands', '../../auth/secret-box.ts', 'handed in by the route'],
  ['auth', '../http/route.ts', 'Only routes know requests'],
  ['jobs', '../routes/all.ts', 'Only routes know requests'],
])('the lint rule refuses in %s an import of %s and names the door', (room, target, words) => {
  expect(refusal(room, target)).toContain(words)
})

it.each([
  ['store', './guard.ts'],
  ['store', '../errors/api-error.ts'],
  ['commands', '../../store/entity.ts'],
  ['commands', '../change.ts'],
  ['jobs', '../commands/manifest/import-messages.ts'],
  ['jobs', '../store/jobs.ts'],
])('the lint rule lets %s import %s', (room, target) => {
  expect(refusal(room, target)).toBeUndefined()
})
