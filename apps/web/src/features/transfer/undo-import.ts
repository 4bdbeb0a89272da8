import { limits } from '@cadmus/model/limits'
import type { ManifestChange } from '../../api/edit-log.ts'
import { currentScope } from '../../api/scope.ts'
import { reversalOfChange, takeBackAll, undoCreationAction } from '../../commands/restore.ts'
import { newestChanges } from './undo-resolution.ts'

type Named = { id: number; name: string }

/** Entities that an import into a manifest added, and those that it changed. */
export type ImportedEntities = { created: readonly Named[]; changed: readonly Named[] }

/** The action of a message about an import into a manifest: takes back the changes, then deletes what was added. */
export function undoImportAction(manifestId: number, { created, changed }: ImportedEntities, scope = currentScope()) {
  const count = created.length + changed.length
  if (count === 0 || count > limits.readStates.entities) return undefined
  const creation = undoCreationAction('entity', created, scope)
  const ids = new Set(changed.map(({ id }) => id))
  // Read now, as later changes of the entities are not part of it.
  const changes = newestChanges(manifestId, ids).catch(() => new Map<number, ManifestChange>())
  const run = async () => {
    const logged = await changes
    const reversals = Array.from(ids, id => reversalOfChange('entity', logged.get(id), scope))
    if (reversals.length > 0) await takeBackAll(reversals, scope)
    if (created.length > 0) creation.run()
  }
  return { label: creation.label, run: () => void run() }
}
