import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** No manifest contains itself. */
export function subManifestCycle(subject: Subject): Problem[] {
  const { cycle, manifests } = subject.resolvedModel
  const [first] = cycle
  if (first === undefined) return []
  const names = cycle.map(id => manifests.find(manifest => manifest.id === id)?.name ?? String(id))
  return [error('subManifestCycle', texts.subManifestCycle(names), subject.manifestPath({ id: first }))]
}
