import { afterAll, beforeAll, expect, it } from 'vitest'
import { applyEntityEdits, type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { arbitraryEdits } from '@cadmus/model/testing/arbitrary-edits'
import { type ConsoleClient, RejectedCall } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { createState, openState, saveEditsOn } from '../testing/edited-entities.ts'

let server: TestConsole
let designer: ConsoleClient
beforeAll(async () => {
  server = await startConsole()
  designer = await server.as('designer')
})
afterAll(() => server.stop())

it('edits of two writers lose nothing: each change is in the result, or its writer gets the conflict', async () => {
  const counts = { merged: 0, conflicts: 0, invalid: 0, other: 0 }
  const lost: string[] = []
  for (let seed = 1; seed <= 60; seed++) {
    server.advance(1000)
    const start = await createState(designer)
    const [mine = [], theirs = []] = [seed, seed + 1000].map(one => validEdits(start.content, one))
    const alone = await saveEditsOn(designer, start, mine, { dryRun: true }).catch(codeOf)
    const first = await saveEditsOn(designer, start, theirs).catch(codeOf)
    if (typeof alone === 'string' || typeof first === 'string') {
      counts.invalid += 1
      continue
    }
    const second = await saveEditsOn(designer, start, mine).catch(codeOf)
    const { content } = await openState(designer, start.id)
    if (typeof second === 'string') {
      counts[second === 'conflict' || second === 'invalid' ? 'conflicts' : 'other'] += 1
      if (!isEqual(content, first.answer.content)) lost.push(`seed ${seed}: the first writer's`)
      continue
    }
    for (const side of [alone, first]) {
      const edits = entityEditsBetween(start.content, side.answer.content ?? start.content).filter(
        ({ kind }) => kind !== 'moveColumns',
      )
      if (!isEqual(withoutPlaces(applyEntityEdits(content, edits)), withoutPlaces(content))) lost.push(`seed ${seed}`)
    }
    counts.merged += 1
  }
  expect(lost).toEqual([])
  expect(counts.other).toBe(0)
  expect(Math.min(counts.merged, counts.conflicts)).toBeGreaterThan(3)
})

/** The arbitrary relationships refer to an entity that does not exist. */
function validEdits(content: EntityContent, seed: number): EntityEdit[] {
  return arbitraryEdits(content, seed).filter(({ kind }) => kind !== 'addRelationships')
}

function codeOf(error: unknown): string {
  if (error instanceof RejectedCall) return error.answer.code
  throw error
}

function withoutPlaces(content: EntityContent): EntityContent {
  const byUid = <T extends { uid: string; position: number }>(items: readonly T[]) =>
    items.map(item => ({ ...item, position: 0 })).toSorted((a, b) => (a.uid < b.uid ? -1 : 1))
  return {
    ...content,
    typeAttributes: byUid(content.typeAttributes),
    entityAttributes: byUid(content.entityAttributes),
  }
}
