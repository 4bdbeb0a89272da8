import { closureOf, type Closure } from '@cadmus/model/closure'
import { aTypeAttribute } from '@cadmus/model/testing/builders'
import { newValidator, validate } from '@cadmus/model/validate'
import { largeModel } from '@cadmus/sql/testing/large-model'
import { loadavg } from 'node:os'
import { machine, timed } from './machine.ts'

// What validating a large manifest costs at first and after one edit: `node bench/src/validate.ts`.

const closure = largeModel()
const { entities } = closure
console.log(`${entities.length} entities; ${machine()}; load ${loadavg()[0]?.toFixed(1)}\n`)
console.log('| What | Best of 50 | Median |\n|---|---|---|')

report('All of it', () => validate(closure))

const remembers = newValidator()
remembers(closure)
report('Again, nothing changed', () => remembers(closure))

let edits = 0
let edited = closure
report('After an attribute was added', () => {
  edits += 1
  edited = withEdit(edited, edits)
  return remembers(edited)
})

/** Another attribute in one entity, a different one each time; three refer to it. */
function withEdit({ root, byId, manifests }: Closure, edit: number): Closure {
  const entity = byId.get(entities[(edit * 37) % entities.length]?.id ?? 0)
  if (!entity) throw new Error('The model has no such entity.')
  const added = aTypeAttribute({ name: `added${edit}`, position: 30 + edit })
  const next = { ...entity, typeAttributes: [...entity.typeAttributes, added] }
  const source = {
    manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
    entities: new Map(byId).set(next.id, next),
  }
  return closureOf(root, source)
}

function report(what: string, work: () => unknown): void {
  const { best, median } = timed(50, work)
  console.log(`| ${what} | ${best.toFixed(1)} ms | ${median.toFixed(1)} ms |`)
}
