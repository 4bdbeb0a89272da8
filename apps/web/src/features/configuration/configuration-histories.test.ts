import { proofCount } from '@cadmus/testing/proof'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { History } from '../../testing/configuration-history.ts'
import { places, type Place } from '../../testing/configuration-places.ts'

const kinds = [
  ...(['write', 'write', 'write', 'remove', 'rename', 'undo', 'undo', 'redo', 'discard', 'restoreDiscarded'] as const),
  ...(['theyWrite', 'theyWrite', 'theyWrite', 'theyRemove', 'theyRename', 'read', 'save', 'save', 'saved'] as const),
  ...(['answered', 'cut', 'lose', 'mine', 'theirs', 'race', 'race'] as const),
  ...(['type', 'type', 'type', 'apply', 'apply', 'flag', 'theyFlag', 'above'] as const),
]
const place = fc.constantFrom(...places)
// A restored draft stays above later saves.
const others: ReadonlySet<string> = new Set([
  'restoreDiscarded',
  'theyWrite',
  'theyRemove',
  'theyRename',
  'theyFlag',
  'above',
  'race',
])
const action = fc.record({ kind: fc.constantFrom(...kinds), at: place, to: place })
type Action = { kind: (typeof kinds)[number]; at: Place; to: Place }

async function act(history: History, { kind, at, to }: Action): Promise<void> {
  const { they } = history
  if (kind === 'mine' || kind === 'theirs') await history.keep(kind)
  else if (kind === 'type' || kind === 'flag' || kind === 'remove') history[kind](at)
  else if (kind === 'write' || kind === 'rename') history[kind](at, to)
  else if (kind === 'theyFlag') they.flag(at)
  else if (kind === 'theyRemove') they.remove(at)
  else if (kind === 'theyRename') they.rename(at, to)
  else if (kind === 'theyWrite') they.write(at, to)
  else if (kind === 'above') {
    // The other user changes the field that I am typing in, and the page reloads it.
    history.type(at)
    they.write(at, to)
    history.read()
    history.apply()
  } else if (kind === 'race') {
    // The other user changes the same field while my save of another field is in progress.
    they.write(at, to)
    history.write(to, at)
    await history.save()
    history.write(at, to)
    await history.answered()
  } else await history[kind]()
}

const actions = fc.array(action, { minLength: 10, maxLength: 40, size: 'max' })

async function runHistory(all: readonly Action[]): Promise<void> {
  const history = new History()
  for (const one of all) await act(history, one)
  while (history.isAnswerAwaited) await history.answered()
}

// Generous: the runner may be busy.
describe('concurrent edits of a configuration by two people', () => {
  it('overwrite no change unnoticed, including secrets, and lose no input', async () => {
    await fc.assert(fc.asyncProperty(actions, runHistory), {
      numRuns: proofCount('histories', 60, 500),
      seed: 20_261_123,
    })
  })

  it('cause no conflict for a single author, even after a lost response', async () => {
    const alone = actions.map(all => all.filter(({ kind }) => !others.has(kind)))
    await fc.assert(fc.asyncProperty(alone, runHistory), {
      numRuns: proofCount('histories', 40, 300),
      seed: 20_261_126,
    })
  })
})
